import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { BillList } from '#web/bills/bill-list.tsx'
import { GroupList } from '#web/bills/group-list.tsx'
import { billsQuery, groupsQuery } from '#web/bills/queries.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** Shows the customer's groups and split bills. */
export function BillLists() {
  const { t } = useLingui()
  const groups = useQuery(groupsQuery)
  const bills = useInfiniteQuery(billsQuery)
  const error = (!groups.data && groups.error) || (!bills.data && bills.error)
  if (error) {
    return (
      <Section title={t`Your Bills`}>
        <Card>
          <LoadFailure error={error} refetch={() => void Promise.all([groups.refetch(), bills.refetch()])} />
        </Card>
      </Section>
    )
  }
  return (
    <>
      <GroupList />
      <BillList />
    </>
  )
}
