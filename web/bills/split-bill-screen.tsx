import { useQuery } from '@tanstack/react-query'
import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation, useNavigate } from 'react-router'
import type { TransactionDetail } from '#contract/accounts.ts'
import type { SplitRequest } from '#contract/bills.ts'
import { transactionQuery } from '#web/accounts/queries.ts'
import { chosenId } from '#web/accounts/shared/chosen.ts'
import { AddPerson } from '#web/bills/add-person.tsx'
import { splitBill } from '#web/bills/queries.ts'
import { dividedFor, NOBODY, readSharing, type Sharing, sharesNow, sharingFaults, written } from '#web/bills/sharing.ts'
import type { Sharer } from '#web/bills/people-options.tsx'
import { usePeople } from '#web/bills/people.ts'
import { SharingFields } from '#web/bills/sharing-fields.tsx'
import { money } from '#web/i18n/formats.ts'
import { nameText } from '#web/i18n/words.ts'
import { type Check, useForm } from '#web/lib/form.ts'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { useTimeout } from '#web/lib/timeout.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountText, readAmount } from '#web/ui/amount-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

const REDIRECT_AFTER_MS = 1500

/** How who is chosen and what is typed for them stand among the texts of the form. */
type Form = { amount: string; people: string; description: string }

const EMPTY: Form = { amount: '', people: written(NOBODY), description: '' }

/** A payment as a bill to split. */
const filledIn = (payment: TransactionDetail): Form => ({
  ...EMPTY,
  amount: amountText(Math.abs(payment.amountMinor), payment.asset),
  description: nameText(payment.name),
})

/** The form and what happens when it is sent. */
function useSplitForm(payment: TransactionDetail | undefined, people: readonly Sharer[]) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const schedule = useTimeout()
  const byId = new Map(people.map((person) => [person.id, person]))

  const check: Check<Form> = ({ amount, people: text }) => sharingFaults(amount, readSharing(text))

  return useForm({
    initial: EMPTY,
    ...(payment && { latest: filledIn(payment) }),
    check,
    read: ({ amount, people: text, description }) => {
      const reading = readAmount(amount)
      const totalMinor = reading.state === 'read' ? reading.amountMinor : 0
      const sharing = readSharing(text)
      return {
        totalMinor,
        asset: 'USD' as const,
        ...(description.trim() && { description: description.trim() }),
        ...dividedFor(totalMinor, sharing, (id) => ({ address: id, name: byId.get(id)?.name ?? id })),
        ...(payment && { transactionId: payment.id }),
      } satisfies SplitRequest
    },
    send: splitBill,
    loading: () => t`Splitting the bill…`,
    success: ({ bill }, { division }) => {
      const share = money(bill.shares[0]?.amountMinor ?? 0, bill.asset)
      return {
        message:
          division === 'equal' ? t`Bill split! Each person pays ${share}.` : t`Bill split! Everyone has been asked.`,
      }
    },
    outcome: () => ({ sent: t`The bill was split after all`, notSent: t`Cancelled. Nobody was asked` }),
    refusedField: ({ field }) =>
      field === 'recipient' || field === 'people' ? 'people' : field === 'totalMinor' ? 'amount' : null,
    onDone: () => schedule(() => void navigate(paths.dashboard), REDIRECT_AFTER_MS),
  })
}

/** What was split before comes after the form. */
const loadLists = () => import('#web/bills/bill-lists.tsx')

export function SplitBillScreen() {
  const { t } = useLingui()
  const id = chosenId(useLocation())
  const payment = useQuery({ ...transactionQuery(id ?? ''), enabled: id !== null }).data
  const lists = useOnDemand(loadLists, true)
  return (
    <Screen title={t`Split Bill`} back={id === null ? paths.dashboard : `${paths.transactionDetail}?id=${id}`}>
      <SplitForm payment={payment} />
      {lists && <lists.BillLists />}
    </Screen>
  )
}

function SplitForm({ payment }: { payment: TransactionDetail | undefined }) {
  const { t } = useLingui()
  const { people, isPending, add } = usePeople()
  const form = useSplitForm(payment, people)
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
        people={people}
        totalMinor={reading.state === 'read' ? reading.amountMinor : 0}
        sharing={sharing}
        shares={typeof shares === 'object' ? shares : null}
        error={error}
        onChange={(next) => onChange(written(next))}
      >
        {isPending && <RowSkeletons count={4} />}
        <AddPerson
          onAdd={(person) => {
            add(person)
            if (!sharing.chosen.includes(person.id))
              onChange(written({ ...sharing, chosen: [...sharing.chosen, person.id] }))
          }}
        />
      </SharingFields>
      <Summary sharing={sharing} shares={shares} />
      <Button
        type="submit"
        busy={form.busy}
        done={form.done}
        disabled={form.values.amount.trim() === '' || sharing.chosen.length === 0}
      >
        <Trans>Split Bill</Trans>
      </Button>
    </form>
  )
}

/** What everybody pays, before it is asked for. */
function Summary({ sharing, shares }: { sharing: Sharing; shares: ReturnType<typeof sharesNow> | null }) {
  const { t } = useLingui()
  if (shares === null || typeof shares === 'string' || sharing.division !== 'equal') return null
  const share = money(shares.othersMinor[0] ?? 0, 'USD')
  const own = money(shares.ownMinor, 'USD')
  return (
    <p className="text-center text-[0.9375rem] text-balance text-ink-soft" role="status">
      {own === share ? t`Each person pays ${share}` : t`Each person pays ${share}, and you pay ${own}`}
    </p>
  )
}
