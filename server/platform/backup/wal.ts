/** A position in PostgreSQL's log, in bytes from its beginning. */
export type Lsn = bigint

/** Reads PostgreSQL's notation, `16/B374D848`. */
export function readLsn(text: string): Lsn {
  const [, high = '', low = ''] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (!high) throw new RangeError(`${text} is not a position in a log`)
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** The length of the log's segments, and the timeline of the database's history that they belong to. */
export type LogShape = { timeline: number; segmentBytes: number }

/** Returns the number of the segment that contains a position. The first segment has the number 0. */
export const segmentOf = (lsn: Lsn, { segmentBytes }: LogShape): number => Number(lsn / BigInt(segmentBytes))

export const segmentStart = (segment: number, { segmentBytes }: LogShape): Lsn => BigInt(segment) * BigInt(segmentBytes)

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0')

/**
 * Returns PostgreSQL's file name for a segment: eight digits each for the timeline, the upper half of its position, and the
 * rest.
 */
export function segmentName(segment: number, { timeline, segmentBytes }: LogShape): string {
  const perUpperHalf = 2 ** 32 / segmentBytes
  return hex(timeline) + hex(Math.floor(segment / perUpperHalf)) + hex(segment % perUpperHalf)
}
