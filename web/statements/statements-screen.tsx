import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { messageOf } from '#web/lib/api.ts'
import { paths } from '#web/lib/paths.ts'
import { AccountStatement } from '#web/statements/account-statement.tsx'
import { Imports } from '#web/statements/imports/imports.tsx'
import { statementAccountsQuery } from '#web/statements/queries.ts'
import { Failure } from '#web/ui/failure.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

/** Statements to keep, and those of other banks to look at beside them. */
export function StatementsScreen() {
  const { t } = useLingui()
  const [params] = useSearchParams()
  const { data, error, refetch } = useQuery(statementAccountsQuery)
  // A notice leads to the month that it is about.
  const month = params.get('month')
  return (
    <Screen title={t`Statements`} back={paths.transactions}>
      {error && !data ? (
        <Failure message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <>
          {!data && <Loading label={t`Loading your statements`} />}
          <AccountStatement about={data} month={month}>
            <Imports />
          </AccountStatement>
        </>
      )}
    </Screen>
  )
}
