/**
 * Whether the tests run at full strength. `npm test` covers the effects of a change; `npm run test:all` also covers the
 * requirements of a release. ALDER_TESTS=all runs a part of the tests at full strength by hand.
 */
export const ALL = process.env['ALDER_TESTS'] === 'all'

/** Returns the number of tries of a random test: `maxTries` in `npm run test:all`, a tenth of it, rounded up, in `npm test`. */
export const tries = (maxTries: number): number => (ALL ? maxTries : Math.ceil(maxTries / 10))
