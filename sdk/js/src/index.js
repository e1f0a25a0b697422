export { Api, ApiError } from "./api.js";
export { Client } from "./client.js";
export { isProven, runningMs, ServiceClock } from "./clock.js";
export { NoticeGate } from "./notices.js";
export { Store } from "./store.js";
export { TaskList } from "./task_list.js";
export { Timeline } from "./timeline.js";
export { isEnded } from "./wire.js";
