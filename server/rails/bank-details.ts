import type { Config } from '#server/bank/config.ts'
import type { SealedColumn } from '#server/platform/db/sealed-column.ts'
import { seal, unseal } from '#server/platform/secrets/sealed.ts'

/** The details of an account at another bank, as a rail receives them. */
export type BankDetails = { holderName: string; routingNumber: string; accountNumber: string }

const KIND = 'bank details'

/** Describes a column of encrypted bank details. The encryption binds the details to the row's key. */
export function detailsColumn(table: string, key: string, column: string): SealedColumn {
  return { table, key, column, nameOf: (row) => ({ kind: KIND, owner: row[key] ?? '' }) }
}

/** Encrypts the details for one owner: the id of a linked account, or the id of an operation that a provider carries out. */
export function sealDetails(config: Pick<Config, 'secret'>, owner: string, details: BankDetails): Buffer {
  return seal(config, { kind: KIND, owner }, Buffer.from(JSON.stringify(details)))
}

export function unsealDetails(config: Pick<Config, 'secret'>, owner: string, sealed: Buffer): BankDetails {
  return JSON.parse(unseal(config, { kind: KIND, owner }, sealed).toString()) as BankDetails
}
