import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { AccountStatement } from '#web/statements/account-statement.tsx'
import { Imports } from '#web/statements/imports/imports.tsx'
import { statementAccountsQuery } from '#web/statements/queries.ts'
import { QueryScreen } from '#web/ui/query-screen.tsx'

/** Statements to keep, and those of other banks to look at beside them. */
export function StatementsScreen() {
  const { t } = useLingui()
  const [params] = useSearchParams()
  const query = useQuery(statementAccountsQuery)
  const { data } = query
  // A notice leads to the month that it is about.
  const month = params.get('month')
  return (
    <QueryScreen query={query} title={t`Statements`} back={paths.transactions} loading={t`Loading your statements`}>
      <AccountStatement about={data} month={month}>
        <Imports />
      </AccountStatement>
    </QueryScreen>
  )
}
