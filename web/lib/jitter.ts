/**
 * Returns a random delay of up to `ms` ("full jitter"). Pages that lost their connection at the same moment, for example in a
 * restart of the server, reconnect at different times (docs/decisions/0281).
 */
export const withJitter = (ms: number): number => Math.random() * ms
