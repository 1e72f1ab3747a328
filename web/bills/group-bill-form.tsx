import { Trans, useLingui } from '@lingui/react/macro'
import type { GroupDetail } from '#contract/bills.ts'
import { addGroupBill } from '#web/bills/queries.ts'
import { dividedFor, NOBODY, readSharing, sharingFaults, sharesNow, written } from '#web/bills/sharing.ts'
import { SharingFields } from '#web/bills/sharing-fields.tsx'
import { type Check, useForm } from '#web/lib/form.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { readAmount } from '#web/ui/amount-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

type Form = { amount: string; people: string; description: string }

/** A bill that the customer paid for a group. */
export function GroupBillForm({ group, onClose }: { group: GroupDetail; onClose: () => void }) {
  const { t } = useLingui()
  const others = group.members.filter(({ own, joined }) => joined && !own)
  const check: Check<Form> = ({ amount, people }) => sharingFaults(amount, readSharing(people))
  const form = useForm({
    initial: { amount: '', people: written({ ...NOBODY, chosen: others.map(({ id }) => id) }), description: '' },
    check,
    startAt: 'amount',
    read: ({ amount, people, description }) => {
      const reading = readAmount(amount)
      const totalMinor = reading.state === 'read' ? reading.amountMinor : 0
      return {
        id: group.id,
        bill: {
          totalMinor,
          asset: 'USD' as const,
          ...(description.trim() && { description: description.trim() }),
          ...dividedFor(totalMinor, readSharing(people), (memberId) => ({ memberId })),
        },
      }
    },
    send: addGroupBill,
    loading: () => t`Adding the bill…`,
    success: () => ({ message: t`Bill added` }),
    onDone: onClose,
  })
  const reading = readAmount(form.values.amount)
  const { error, value, onChange } = form.field('people')
  const sharing = readSharing(value)
  const shares = reading.state === 'read' && sharing.chosen.length > 0 ? sharesNow(reading.amountMinor, sharing) : null
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <AmountField {...form.field('amount')} label={t`Total Amount`} />
      <Field
        {...form.field('description')}
        label={t`Description (optional)`}
        placeholder={t`What was it for?`}
        maxLength={140}
        autoComplete="off"
      />
      <SharingFields
        people={others}
        totalMinor={reading.state === 'read' ? reading.amountMinor : 0}
        sharing={sharing}
        shares={typeof shares === 'object' ? shares : null}
        error={error}
        onChange={(next) => onChange(written(next))}
      />
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
