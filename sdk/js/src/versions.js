/**
 * Versions as they travel: decimal strings under a data epoch (protocol 6, ruling 14).
 *
 * They may exceed what a JavaScript number holds exactly, so they are compared as BigInt.
 */

/**
 * The place of one state in the history of one object.
 * @typedef {{readonly epoch: bigint, readonly version: bigint}} Stamp
 */

const DECIMAL = /^(0|[1-9]\d{0,18})$/;

/**
 * The stamp of a state; null where one of the two is no decimal string.
 * @param {unknown} epoch
 * @param {unknown} version
 * @returns {Stamp | null}
 */
export function readStamp(epoch, version) {
  const [readEpoch, readVersion] = [readDecimal(epoch), readDecimal(version)];
  return readEpoch === null || readVersion === null ? null : { epoch: readEpoch, version: readVersion };
}

/**
 * The number that a decimal string names; null for anything else.
 * @param {unknown} text
 * @returns {bigint | null}
 */
export function readDecimal(text) {
  return typeof text === "string" && DECIMAL.test(text) ? BigInt(text) : null;
}

/**
 * Negative if `a` is older than `b`, zero if they name the same state, positive if `a` is newer. Any state of a newer
 * epoch is newer than every state of an older one: a database restored from a backup counts from lower versions.
 * @param {Stamp} a
 * @param {Stamp} b
 */
export function compareStamps(a, b) {
  const [left, right] = a.epoch === b.epoch ? [a.version, b.version] : [a.epoch, b.epoch];
  return left < right ? -1 : left > right ? 1 : 0;
}
