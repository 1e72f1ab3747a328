import { CATEGORIES, STATUS_LABELS } from '#contract/accounts.ts'
import { ERRORS } from '#contract/errors.ts'
import { NETWORK_ZONES, SECURITY_EVENTS } from '#contract/identity.ts'
import { DOCUMENT_TYPES } from '#contract/kyc.ts'
import { NOTICE_TEXTS } from '#contract/notice-texts.ts'
import { LABELS, type LineMethod, type LineName, METHODS } from '#contract/wording.ts'

/** What both sides know by a code, in English. Each text is translated under `<table>.<code>`. */
export const TEXTS = {
  error: Object.fromEntries(Object.entries(ERRORS).map(([code, { message }]) => [code, message])) as {
    [Code in keyof typeof ERRORS]: string
  },
  label: LABELS,
  method: METHODS,
  category: CATEGORIES,
  transaction_status: STATUS_LABELS,
  network_zone: NETWORK_ZONES,
  security_event: SECURITY_EVENTS,
  document_type: { ...DOCUMENT_TYPES.id, ...DOCUMENT_TYPES.selfie, ...DOCUMENT_TYPES.address },
  notice: NOTICE_TEXTS,
} as const satisfies Record<string, Record<string, string>>

export type TextTable = keyof typeof TEXTS
export type TextCode<Table extends TextTable> = keyof (typeof TEXTS)[Table] & string

/** What a code says in some language; `params` are what its text has in braces. */
export type TextOf = <Table extends TextTable>(
  table: Table,
  code: TextCode<Table>,
  params?: Record<string, unknown>,
) => string

/** How a message is said that has an id and, where the language lacks it, its English. */
type Say = (id: string, params: Record<string, unknown>, english: { message: string }) => string

/** What codes say where messages are said by `say`. */
export const textsSaid = (say: Say): TextOf => {
  return (table, code, params = {}) => say(`${table}.${code}`, params, { message: TEXTS[table][code] as string })
}

/** Whom or what a line is about; empty where nothing was said. */
export const nameSaid = (textOf: TextOf, { code, params }: LineName): string =>
  code === 'name' ? (params['name'] ?? '') : textOf('label', code, params)

/** How a line was paid; empty where nothing was said. */
export const methodSaid = (textOf: TextOf, method: LineMethod | null): string =>
  method ? textOf('method', method.code, method.params) : ''
