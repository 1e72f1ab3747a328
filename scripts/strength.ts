/**
 * `npm test` proves what a change can break, `npm run test:all` also what a release is proved by. Whoever runs a part of the
 * tests by hand gets all of that part with ALDER_TESTS=all.
 */
export const ALL = process.env['ALDER_TESTS'] === 'all'

/** How often something random is tried: `most` times in `npm run test:all`, a tenth of it in `npm test`. */
export const tries = (most: number): number => (ALL ? most : Math.ceil(most / 10))
