/** The command line is wrong: exit status 2. */
export class UsageError extends Error {}

/** The settings do not say which API to speak to, or as whom. */
export class SettingsError extends Error {}

/** The API could not be reached, or what answered is not Trunkline. */
export class ConnectionError extends Error {}

/** `trunkline status` found something that is not well. */
export class NotReadyError extends Error {}
