import { useQuery } from '@tanstack/react-query'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { TransactionDetail } from '#contract/accounts.ts'
import type { SplitRequest } from '#contract/bills.ts'
import { transactionQuery } from '#web/accounts/queries.ts'
import { chosenId } from '#web/accounts/shared/chosen.ts'
import { AddPerson } from '#web/bills/add-person.tsx'
import {
  BillFields,
  type BillForm,
  BillSharers,
  checkBill,
  EMPTY_BILL,
  readBill,
  sharesOf,
} from '#web/bills/bill-fields.tsx'
import { splitBill } from '#web/bills/queries.ts'
import { readSharing, written } from '#web/bills/sharing.ts'
import type { Sharer } from '#web/bills/people-options.tsx'
import { usePeople } from '#web/bills/people.ts'
import { money } from '#web/i18n/formats.ts'
import { nameText } from '#web/i18n/words.ts'
import { useForm } from '#web/lib/form.ts'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { useMyTyped } from '#web/lib/typed.ts'
import { amountText } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { useRoom } from '#web/ui/room.ts'
import { Screen } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

/** A payment as a bill to split. */
const filledIn = (payment: TransactionDetail): BillForm => ({
  ...EMPTY_BILL,
  amount: amountText(Math.abs(payment.amountMinor), payment.asset),
  description: nameText(payment.name),
})

/** The form and what happens when it is sent. */
function useSplitForm(payment: TransactionDetail | undefined, people: readonly Sharer[]) {
  const { t } = useLingui()
  const redirect = useRedirect()
  const byId = new Map(people.map((person) => [person.id, person]))

  return useForm({
    initial: EMPTY_BILL,
    ...(payment && { latest: filledIn(payment) }),
    check: checkBill,
    read: (bill) =>
      ({
        ...readBill(bill, (id) => ({ address: id, name: byId.get(id)?.name ?? id })),
        ...(payment && { transactionId: payment.id }),
      }) satisfies SplitRequest,
    send: splitBill,
    loading: () => t`Splitting the bill…`,
    success: ({ bill }, { division }) => {
      const share = money(bill.shares[0]?.amountMinor ?? 0, bill.asset)
      return {
        message:
          division === 'equal' ? t`Bill split! Each person pays ${share}.` : t`Bill split! Everyone has been asked.`,
      }
    },
    outcome: () => ({ sent: t`The bill was split`, notSent: t`Cancelled. Nobody was asked` }),
    refusedField: ({ field }) =>
      field === 'recipient' || field === 'people' ? 'people' : field === 'totalMinor' ? 'amount' : null,
    onDone: () => redirect(paths.dashboard),
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
      <SplitForm key={id} id={id} payment={payment}>
        {lists && <lists.BillLists />}
      </SplitForm>
    </Screen>
  )
}

type SplitFormProps = { id: string | null; payment: TransactionDetail | undefined; children: ReactNode }

/** `children`: what was split before; it stands under the form, or under the amount where there is room beside the people. */
function SplitForm({ id, payment, children }: SplitFormProps) {
  const { people, isPending, add, withAll } = usePeople()
  const form = useSplitForm(payment, people)
  useMyTyped(id === null ? paths.splitBill : `${paths.splitBill} ${id}`, form)
  const sharing = readSharing(form.values.people)
  const isWide = useRoom() === 'panes'
  return (
    <>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Columns>
          <>
            <BillFields form={form} />
            {isWide && children}
          </>
          <>
            <BillSharers form={form} people={withAll(sharing.chosen)}>
              {isPending && <RowSkeletons count={4} />}
              <AddPerson
                onAdd={(person) => {
                  add(person)
                  if (!sharing.chosen.includes(person.id))
                    form.set('people', written({ ...sharing, chosen: [...sharing.chosen, person.id] }))
                }}
              />
            </BillSharers>
            <Summary bill={form.values} />
            <Button
              type="submit"
              busy={form.busy}
              done={form.done}
              disabled={form.values.amount.trim() === '' || sharing.chosen.length === 0}
            >
              <Trans>Split Bill</Trans>
            </Button>
          </>
        </Columns>
      </form>
      {!isWide && children}
    </>
  )
}

/** What everybody pays, before it is asked for. */
function Summary({ bill }: { bill: BillForm }) {
  const { t } = useLingui()
  const shares = sharesOf(bill)
  if (shares === null || readSharing(bill.people).division !== 'equal') return null
  const share = money(shares.othersMinor[0] ?? 0, 'USD')
  const own = money(shares.ownMinor, 'USD')
  return (
    <p className="text-center text-[0.9375rem] text-balance text-ink-soft" role="status">
      {own === share ? t`Each person pays ${share}` : t`Each person pays ${share}, and you pay ${own}`}
    </p>
  )
}
