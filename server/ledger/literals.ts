// Formats numbers as a PostgreSQL array literal. A batch has thousands of values, and the driver's own encoder checks each
// value for all escapes.

export const numberArray = (values: number[]): string => `{${values.join(',')}}`

/** Formats texts that need no escapes: ids, kinds, dates. */
export const plainArray = (values: string[]): string => `{${values.join(',')}}`

/** Formats values that need no escapes, with NULL for missing ones. */
export const nullableArray = (values: (string | number | bigint | null | undefined)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`

/** Formats any texts, with NULL for missing ones. */
export const quotedArray = (values: (string | undefined)[]): string =>
  `{${values.map((value) => (value === undefined ? 'NULL' : `"${value.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
