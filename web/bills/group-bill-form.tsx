import { Trans, useLingui } from '@lingui/react/macro'
import type { GroupDetail } from '#contract/bills.ts'
import { BillFields, BillSharers, checkBill, EMPTY_BILL, buildBillRequest } from '#web/bills/bill-fields.tsx'
import { addGroupBill } from '#web/bills/queries.ts'
import { NO_SHARING, serializeSharing } from '#web/bills/sharing.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'

/** Adds a bill that the customer paid for a group. */
export function GroupBillForm({ group, onClose }: { group: GroupDetail; onClose: () => void }) {
  const { t } = useLingui()
  const otherMembers = group.members.filter(({ own, joined }) => joined && !own)
  const form = useForm({
    initial: { ...EMPTY_BILL, people: serializeSharing({ ...NO_SHARING, chosen: otherMembers.map(({ id }) => id) }) },
    check: checkBill,
    startAt: 'amount',
    read: (bill) => ({ id: group.id, bill: buildBillRequest(bill, (memberId) => ({ memberId })) }),
    send: addGroupBill,
    loading: () => t`Adding the bill…`,
    success: () => ({ message: t`Bill added` }),
    onDone: onClose,
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <BillFields form={form} />
      <BillSharers form={form} people={otherMembers} />
      <div className="flex flex-col gap-2">
        <Button type="submit" busy={form.busy} done={form.done}>
          <Trans>Add Bill</Trans>
        </Button>
        <Button variant="secondary" disabled={form.busy} onClick={onClose}>
          <Trans>Back to the Group</Trans>
        </Button>
      </div>
    </form>
  )
}
