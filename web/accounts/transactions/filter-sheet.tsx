import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import type { TransactionFilters } from '#contract/accounts.ts'
import { type Category, CATEGORY_KEYS } from '#contract/categories.ts'
import { TRANSACTION_STATUSES } from '#contract/transaction-status.ts'
import { money } from '#web/i18n/formats.ts'
import { categoryText, transactionStatusText } from '#web/i18n/words.ts'
import { filtersFrom, normaliseRanges } from '#web/accounts/transactions/filters.ts'
import { countQuery, useBusinessNow } from '#web/accounts/queries.ts'
import { bankDayBefore, bankDayOf, monthEnd, monthStart } from '#web/i18n/dates.ts'
import { type FormCheck, formErrors, useFields } from '#web/lib/form.ts'
import { amountText, parseAmount } from '#web/lib/amounts.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { ZoneNote } from '#web/ui/zone-note.tsx'

type FilterSheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  filters: TransactionFilters
  onApply: (filters: TransactionFilters) => void
}

/** The filters as edited in the sheet. Values are text until they are applied, and empty if unset. */
type Draft = { category: string; status: string; from: string; to: string; min: string; max: string }

/** The choice of every status. One choice is always selected. */
const ANY = 'any'

function draftOf({ category, status, from, to, minMinor, maxMinor }: TransactionFilters): Draft {
  const textOf = (minor: number | undefined) => (minor === undefined ? '' : amountText(minor))
  return {
    category: category ?? '',
    status: status ?? ANY,
    from: from ?? '',
    to: to ?? '',
    min: textOf(minMinor),
    max: textOf(maxMinor),
  }
}

/** Returns a bound in cents, undefined for an empty text, or null if the text is not an amount. */
function boundOf(text: string): number | undefined | null {
  const reading = parseAmount(text)
  if (reading.state === 'empty') return undefined
  return reading.state === 'read' ? reading.amountMinor : null
}

const check: FormCheck<Draft> = ({ min, max }) =>
  formErrors(
    boundOf(min) === null && { field: 'min', code: 'amount_invalid' },
    boundOf(max) === null && { field: 'max', code: 'amount_invalid' },
  )

/** Returns the filters of a draft together with the search text. Returns null if an amount is invalid. */
function filtersOf({ min, max, ...draft }: Draft, q: string | undefined): TransactionFilters | null {
  const [minMinor, maxMinor] = [boundOf(min), boundOf(max)]
  if (minMinor === null || maxMinor === null) return null
  const draftFilters = filtersFrom(new URLSearchParams(draft))
  return normaliseRanges({
    ...draftFilters,
    ...(q && { q }),
    ...(minMinor && { minMinor }),
    ...(maxMinor && { maxMinor }),
  })
}

export function FilterSheet({ open, onOpenChange, filters, onApply }: FilterSheetProps) {
  const { t } = useLingui()
  const form = useFields({ initial: draftOf(filters), check })
  const draftFilters = filtersOf(form.values, filters.q)
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Filters`}
      description={t`Choose which transactions to show`}
      footer={
        <Button type="submit" form="transaction-filters" className="w-full">
          <span aria-live="polite">
            <WhatIsShown drafted={draftFilters} />
          </span>
        </Button>
      }
    >
      <FilterForm
        form={form}
        onSubmit={form.onSubmit(() => {
          if (!draftFilters) return
          onApply(draftFilters)
          onOpenChange(false)
        })}
      />
    </Sheet>
  )
}

/** Shows how many transactions match the draft, as counted by the bank. */
function WhatIsShown({ drafted }: { drafted: TransactionFilters | null }) {
  const { data } = useQuery({ ...countQuery(drafted ?? {}), enabled: drafted !== null })
  if (!drafted || !data) return <Trans>Show Transactions</Trans>
  const { count, more } = data
  if (more) return <Plural value={count} one="Show Over # Transaction" other="Show Over # Transactions" />
  return <Plural value={count} _0="No Matching Transactions" one="Show # Transaction" other="Show # Transactions" />
}

type FilterFields = ReturnType<typeof useFields<Draft>>

function FilterForm({ form, onSubmit }: { form: FilterFields; onSubmit: (event: FormEvent) => void }) {
  const { t } = useLingui()
  return (
    <form id="transaction-filters" noValidate className="space-y-6" onSubmit={onSubmit}>
      <CategoryChoice chosen={form.values.category} onChange={(category) => form.set('category', category)} />
      <fieldset className="min-w-0">
        <Legend>
          <Trans>Status</Trans>
        </Legend>
        <Segmented
          label={t`Status`}
          value={form.values.status}
          onChange={(status) => form.set('status', status)}
          options={[
            { value: ANY, label: t({ message: 'Any', context: 'status' }) },
            ...TRANSACTION_STATUSES.map((status) => ({ value: status, label: transactionStatusText(status) })),
          ]}
        />
      </fieldset>
      <DateRange form={form} />
      <AmountRange form={form} />
      <Button variant="quiet" size="small" onClick={() => form.reset(draftOf({}))}>
        <Trans>Reset All</Trans>
      </Button>
    </form>
  )
}

function Legend({ children }: { children: ReactNode }) {
  return <legend className="mb-2 font-semibold">{children}</legend>
}

const CHIP = 'min-h-11 rounded-full border px-4 text-[0.9375rem] font-medium transition-colors'
const CHIP_ON = 'border-primary bg-primary text-on-primary'
const CHIP_OFF = 'border-line bg-surface text-ink hover:bg-muted'

type CategoryChoiceProps = { chosen: string; onChange: (category: Category | '') => void }

function CategoryChoice({ chosen, onChange }: CategoryChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <Legend>
        <Trans>Category</Trans>
      </Legend>
      <div className="flex flex-wrap gap-2">
        {CATEGORY_KEYS.map((key) => (
          <button
            key={key}
            type="button"
            aria-pressed={chosen === key}
            onClick={() => onChange(chosen === key ? '' : key)}
            className={cx(CHIP, chosen === key ? CHIP_ON : CHIP_OFF)}
          >
            {categoryText(key)}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

function DateRange({ form }: { form: FilterFields }) {
  const { t } = useLingui()
  const { from, to } = form.values
  const choose = (first: string, last: string) => {
    form.set('from', first)
    form.set('to', last)
  }
  const now = useBusinessNow()
  const presets = now
    ? [
        { label: t`Last 7 days`, from: bankDayBefore(now, 6), to: bankDayOf(now) },
        { label: t`This month`, from: monthStart(now), to: monthEnd(now) },
        { label: t`Last month`, from: monthStart(now, 1), to: monthEnd(now, 1) },
      ]
    : []
  return (
    <fieldset className="min-w-0">
      <Legend>
        <Trans>Date</Trans>
      </Legend>
      <div className="mb-3 flex flex-wrap gap-2">
        {presets.map((preset) => {
          const isChosen = preset.from === from && preset.to === to
          return (
            <button
              key={preset.label}
              type="button"
              aria-pressed={isChosen}
              onClick={() => (isChosen ? choose('', '') : choose(preset.from, preset.to))}
              className={cx(CHIP, isChosen ? CHIP_ON : CHIP_OFF)}
            >
              {preset.label}
            </button>
          )
        })}
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        <Field {...form.field('from')} label={t({ message: 'From', context: 'first day' })} type="date" />
        <Field {...form.field('to')} label={t({ message: 'To', context: 'last day' })} type="date" />
      </div>
      <ZoneNote className="mt-3" />
    </fieldset>
  )
}

/** The fields for the smallest and largest amount. The range applies to money in and money out alike. */
function AmountRange({ form }: { form: FilterFields }) {
  const { t } = useLingui()
  return (
    <fieldset className="min-w-0">
      <Legend>
        <Trans>Amount</Trans>
      </Legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        <AmountField look="line" {...form.field('min')} label={t`Minimum`} placeholder={money(0, 'USD')} />
        <AmountField
          look="line"
          {...form.field('max')}
          label={t`Maximum`}
          placeholder={t({ message: 'Any', context: 'amount' })}
        />
      </div>
    </fieldset>
  )
}
