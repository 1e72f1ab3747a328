import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Sharer } from '#web/bills/people-options.tsx'
import { dividedFor, NOBODY, readSharing, sharesNow, sharingFaults, written } from '#web/bills/sharing.ts'
import { SharingFields } from '#web/bills/sharing-fields.tsx'
import type { Check, FormPart } from '#web/lib/form.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { readMinor } from '#web/lib/amounts.ts'
import { Field } from '#web/ui/field.tsx'

/** A bill as it is typed: how who is chosen and what is typed for them stand among the texts of the form. */
export type BillForm = { amount: string; people: string; description: string }

export const EMPTY_BILL: BillForm = { amount: '', people: written(NOBODY), description: '' }

export const checkBill: Check<BillForm> = ({ amount, people }) => sharingFaults(amount, readSharing(people))

/** Cents; 0 while there is no amount. */
const totalOf = ({ amount }: BillForm): number => readMinor(amount)

/** What is sent of a bill; `person` says who somebody is. */
export function readBill<Person extends object>(bill: BillForm, person: (id: string) => Person) {
  const totalMinor = totalOf(bill)
  const description = bill.description.trim()
  return {
    totalMinor,
    asset: 'USD' as const,
    ...(description && { description }),
    ...dividedFor(totalMinor, readSharing(bill.people), person),
  }
}

/** What each of the chosen pays as things stand, and what is left for oneself; null while that is not known. */
export function sharesOf(bill: BillForm) {
  const sharing = readSharing(bill.people)
  if (totalOf(bill) === 0 || sharing.chosen.length === 0) return null
  const shares = sharesNow(totalOf(bill), sharing)
  return typeof shares === 'object' ? shares : null
}

type BillFieldsProps = { form: FormPart<BillForm> }

/** How much a bill is, and what it was for. */
export function BillFields({ form }: BillFieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <AmountField {...form.field('amount')} label={t`Total Amount`} />
      <Field
        {...form.field('description')}
        label={t`Description (optional)`}
        placeholder={t`What was it for?`}
        maxLength={140}
        autoComplete="off"
      />
    </>
  )
}

type BillSharersProps = BillFieldsProps & {
  people: readonly Sharer[]
  /** Stands under the people: how to add more. */
  children?: ReactNode
}

/** Who shares a bill, and how. */
export function BillSharers({ form, people, children }: BillSharersProps) {
  const { error, value, onChange } = form.field('people')
  return (
    <SharingFields
      people={people}
      totalMinor={totalOf(form.values)}
      sharing={readSharing(value)}
      shares={sharesOf(form.values)}
      error={error}
      onChange={(next) => onChange(written(next))}
    >
      {children}
    </SharingFields>
  )
}
