import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { BillList } from '#web/bills/bill-list.tsx'
import { GroupList } from '#web/bills/group-list.tsx'
import { billsQuery, groupsQuery } from '#web/bills/queries.ts'
import { Failure } from '#web/ui/failure.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** What a customer shares with others already. */
export function BillLists() {
  const { t } = useLingui()
  const groups = useQuery(groupsQuery)
  const bills = useInfiniteQuery(billsQuery)
  const error = (!groups.data && groups.error) || (!bills.data && bills.error)
  if (error) {
    return (
      <Section title={t`Your Bills`}>
        <Card>
          <Failure error={error} refetch={() => void Promise.all([groups.refetch(), bills.refetch()])} />
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
