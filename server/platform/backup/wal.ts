/** A place in PostgreSQL's log, in bytes from its beginning. */
export type Lsn = bigint

/** Reads PostgreSQL's own form, `16/B374D848`. */
export function readLsn(text: string): Lsn {
  const [, high = '', low = ''] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (!high) throw new RangeError(`${text} is no place in a log`)
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** How long the files of a log are, and on which of the lines of a database's history they are. */
export type LogShape = { timeline: number; segmentBytes: number }

/** Which file of the log has this place: the first is 0. */
export const segmentOf = (lsn: Lsn, { segmentBytes }: LogShape): number => Number(lsn / BigInt(segmentBytes))

export const startOf = (segment: number, { segmentBytes }: LogShape): Lsn => BigInt(segment) * BigInt(segmentBytes)

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0')

/** As PostgreSQL calls the file: eight digits each for the timeline, the upper half of its place, and the rest. */
export function segmentName(segment: number, { timeline, segmentBytes }: LogShape): string {
  const perUpperHalf = 2 ** 32 / segmentBytes
  return hex(timeline) + hex(Math.floor(segment / perUpperHalf)) + hex(segment % perUpperHalf)
}
