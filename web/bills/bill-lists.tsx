import { BillList } from '#web/bills/bill-list.tsx'
import { GroupList } from '#web/bills/group-list.tsx'

/** What a customer shares with others already. */
export function BillLists() {
  return (
    <>
      <GroupList />
      <BillList />
    </>
  )
}
