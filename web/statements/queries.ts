import { queryOptions } from '@tanstack/react-query'
import type { StatementFormat } from '#contract/statement-formats.ts'
import type { StatementRange } from '#contract/statements.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'

export const statementAccountsQuery = queryOptions({
  queryKey: ['statements'],
  meta: KEPT,
  queryFn: ({ signal }) => unwrap(api.statements.$get({}, withSignal(signal))),
})

/** What is asked for: of one account, both days included. */
export type AskedStatement = { id: string; range: StatementRange }

export const statementQuery = ({ id, range }: AskedStatement) =>
  queryOptions({
    queryKey: ['statements', id, range],
    // Half a range is none.
    enabled: range.from !== '' && range.to !== '',
    queryFn: ({ signal }) => unwrap(api.statements[':id'].$get({ param: { id }, query: range }, withSignal(signal))),
  })

/** Where the file is. */
export const statementUrl = ({ id, range }: AskedStatement, format: StatementFormat): string =>
  `/api/v1/statements/${encodeURIComponent(id)}/file?${new URLSearchParams({ ...range, format }).toString()}`
