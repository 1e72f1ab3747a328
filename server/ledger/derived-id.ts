import { createHash } from 'node:crypto'
import type { Operation } from '#server/ledger/types.ts'

/**
 * The id of an operation that follows from another one, so that a job that runs twice asks for the same thing twice
 * and the ledger applies it once. It goes into the operation with what it was derived from, which the ledger checks.
 */
export function derived(causeId: string, purpose: string): Required<Pick<Operation, 'id' | 'derivedFrom'>> {
  return { id: derivedId(causeId, purpose), derivedFrom: { causeId, purpose } }
}

/** The first 128 bits of SHA-256 over the cause and the purpose, written as a version 8 UUID (RFC 9562, section 5.8). */
export function derivedId(causeId: string, purpose: string): string {
  const bytes = createHash('sha256').update(`${causeId.toLowerCase()}\n${purpose}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
