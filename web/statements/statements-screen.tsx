import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { AccountStatementView } from '#web/statements/account-statement.tsx'
import { Imports } from '#web/statements/imports/imports.tsx'
import { statementAccountsQuery } from '#web/statements/queries.ts'
import { QueryScreen } from '#web/ui/query-screen.tsx'

/** Shows the bank's statements, and those imported from other banks. */
export function StatementsScreen() {
  const { t } = useLingui()
  const [params] = useSearchParams()
  const query = useQuery(statementAccountsQuery)
  const { data } = query
  // A notification links to the month of its statement.
  const month = params.get('month')
  return (
    <QueryScreen query={query} title={t`Statements`} back={paths.transactions} loading={t`Loading your statements`}>
      <AccountStatementView about={data} month={month}>
        <Imports />
      </AccountStatementView>
    </QueryScreen>
  )
}
