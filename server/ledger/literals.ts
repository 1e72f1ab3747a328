// PostgreSQL array literals, written here because a batch is thousands of values and the driver's own encoder looks
// at each for every escape there is.

export const numbers = (values: number[]): string => `{${values.join(',')}}`

/** Of texts without anything to escape: ids, names of kinds, dates. */
export const plain = (values: string[]): string => `{${values.join(',')}}`

/** The same where some are missing. */
export const nullable = (values: (string | number | bigint | null | undefined)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`

/** Of any text, some of it missing. */
export const quoted = (values: (string | undefined)[]): string =>
  `{${values.map((value) => (value === undefined ? 'NULL' : `"${value.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
