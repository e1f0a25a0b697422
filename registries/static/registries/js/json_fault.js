/**
 * What is wrong with a JSON text, and on which line.
 *
 * @typedef {{ line: number, message: string }} Fault
 */

/**
 * @param {string} text
 * @returns {Fault | null}
 */
export function faultOf(text) {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { line: lineOf(text, message), message: message.replace(/ in JSON at position.*$/s, "") };
  }
}

/** Engines tell a line, or a position, or (at the end of the text) neither. @param {string} text @param {string} message */
function lineOf(text, message) {
  const line = /line (\d+)/.exec(message);
  if (line) return Number(line[1]);
  const position = /position (\d+)/.exec(message);
  const end = position ? Number(position[1]) : text.trimEnd().length;
  return text.slice(0, end).split("\n").length;
}
