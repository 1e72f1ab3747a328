import { useQuery } from '@tanstack/react-query'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { TransactionDetail } from '#contract/accounts.ts'
import type { SplitRequest } from '#contract/bills.ts'
import { transactionQuery } from '#web/accounts/queries.ts'
import { transactionIdIn } from '#web/accounts/shared/transaction-address.ts'
import { AddPerson } from '#web/bills/add-person.tsx'
import {
  BillFields,
  type BillForm,
  BillSharers,
  checkBill,
  EMPTY_BILL,
  buildBillRequest,
  previewShares,
} from '#web/bills/bill-fields.tsx'
import { splitBill } from '#web/bills/queries.ts'
import { parseSharing, serializeSharing } from '#web/bills/sharing.ts'
import type { Sharer } from '#web/bills/people-options.tsx'
import { usePeople } from '#web/bills/people.ts'
import { money } from '#web/i18n/formats.ts'
import { nameText } from '#web/i18n/words.ts'
import { useForm } from '#web/lib/form.ts'
import { useLazy } from '#web/lib/lazy.ts'
import { paths } from '#web/lib/paths.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { useCustomerFormDraft } from '#web/lib/form-draft.ts'
import { amountText } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { useBreakpoint } from '#web/ui/breakpoint.ts'
import { Screen } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

/** Returns a form that is prefilled from a payment. */
const filledIn = (payment: TransactionDetail): BillForm => ({
  ...EMPTY_BILL,
  amount: amountText(Math.abs(payment.amountMinor), payment.asset),
  description: nameText(payment.name),
})

/** Returns the form and its submission. */
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
        ...buildBillRequest(bill, (id) => ({ address: id, name: byId.get(id)?.name ?? id })),
        ...(payment && { transactionId: payment.id }),
      }) satisfies SplitRequest,
    send: splitBill,
    loading: () => t`Splitting the bill…`,
    success: ({ bill }, { division }) => {
      const share = money(bill.shares[0]?.amountMinor ?? 0, bill.asset)
      return {
        message:
          division === 'equal'
            ? t`Bill split! Each person pays ${share}.`
            : t`Bill split! We've sent everyone a request.`,
      }
    },
    outcome: () => ({ sent: t`The bill was split`, notSent: t`Canceled. No requests were sent` }),
    refusedField: ({ field }) =>
      field === 'recipient' || field === 'people' ? 'people' : field === 'totalMinor' ? 'amount' : null,
    onDone: () => redirect(paths.dashboard),
  })
}

/** Earlier bills and groups are loaded after the form. */
const loadLists = () => import('#web/bills/bill-lists.tsx')

export function SplitBillScreen() {
  const { t } = useLingui()
  const id = transactionIdIn(useLocation())
  const payment = useQuery({ ...transactionQuery(id ?? ''), enabled: id !== null }).data
  const lists = useLazy(loadLists, true)
  return (
    <Screen title={t`Split Bill`} back={id === null ? paths.dashboard : `${paths.transactionDetail}?id=${id}`}>
      <SplitForm key={id} id={id} payment={payment}>
        {lists && <lists.BillLists />}
      </SplitForm>
    </Screen>
  )
}

type SplitFormProps = { id: string | null; payment: TransactionDetail | undefined; children: ReactNode }

/** `children` contains the earlier bills and groups. They are shown below the form or, on wide screens, below the amount. */
function SplitForm({ id, payment, children }: SplitFormProps) {
  const { people, isPending, add, withAll } = usePeople()
  const form = useSplitForm(payment, people)
  useCustomerFormDraft(id === null ? paths.splitBill : `${paths.splitBill} ${id}`, form)
  const sharing = parseSharing(form.values.people)
  const isWide = useBreakpoint() === 'panes'
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
                    form.set('people', serializeSharing({ ...sharing, chosen: [...sharing.chosen, person.id] }))
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

/** Shows each person's share of an equal division before the requests are sent. */
function Summary({ bill }: { bill: BillForm }) {
  const { t } = useLingui()
  const shares = previewShares(bill)
  if (shares === null || parseSharing(bill.people).division !== 'equal') return null
  const share = money(shares.othersMinor[0] ?? 0, 'USD')
  const own = money(shares.ownMinor, 'USD')
  return (
    <p className="text-center text-[0.9375rem] text-balance text-ink-soft" role="status">
      {own === share ? t`Each person pays ${share}` : t`Each person pays ${share}, and you pay ${own}`}
    </p>
  )
}
