import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Sharer } from '#web/bills/people-options.tsx'
import {
  buildDivision,
  NO_SHARING,
  parseSharing,
  computeShares,
  sharingErrors,
  serializeSharing,
} from '#web/bills/sharing.ts'
import { SharingFields } from '#web/bills/sharing-fields.tsx'
import type { FormCheck, FormPart } from '#web/lib/form.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { parseMinor } from '#web/lib/amounts.ts'
import { Field } from '#web/ui/field.tsx'

/** A bill in the form. `people` contains the chosen people and their typed shares as serialized text. */
export type BillForm = { amount: string; people: string; description: string }

export const EMPTY_BILL: BillForm = { amount: '', people: serializeSharing(NO_SHARING), description: '' }

export const checkBill: FormCheck<BillForm> = ({ amount, people }) => sharingErrors(amount, parseSharing(people))

/** Returns the total in cents, or 0 without an amount. */
const totalOf = ({ amount }: BillForm): number => parseMinor(amount)

/** Returns the request for a bill. `person` maps an id to a person in the request. */
export function buildBillRequest<Person extends object>(bill: BillForm, person: (id: string) => Person) {
  const totalMinor = totalOf(bill)
  const description = bill.description.trim()
  return {
    totalMinor,
    asset: 'USD' as const,
    ...(description && { description }),
    ...buildDivision(totalMinor, parseSharing(bill.people), person),
  }
}

/** Returns each person's current share and the customer's own share. Returns null while the shares cannot be computed. */
export function previewShares(bill: BillForm) {
  const sharing = parseSharing(bill.people)
  if (totalOf(bill) === 0 || sharing.chosen.length === 0) return null
  const shares = computeShares(totalOf(bill), sharing)
  return typeof shares === 'object' ? shares : null
}

type BillFieldsProps = { form: FormPart<BillForm> }

/** Shows the fields for a bill's amount and description. */
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
  /** Shown below the people: the way to add more. */
  children?: ReactNode
}

/** Shows the fields for the people who share a bill and for their shares. */
export function BillSharers({ form, people, children }: BillSharersProps) {
  const { error, value, onChange } = form.field('people')
  return (
    <SharingFields
      people={people}
      totalMinor={totalOf(form.values)}
      sharing={parseSharing(value)}
      shares={previewShares(form.values)}
      error={error}
      onChange={(next) => onChange(serializeSharing(next))}
    >
      {children}
    </SharingFields>
  )
}
