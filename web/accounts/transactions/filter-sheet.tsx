import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { TransactionFilters } from '#contract/accounts.ts'
import { type Category, CATEGORY_KEYS } from '#contract/categories.ts'
import { TRANSACTION_STATUSES } from '#contract/transaction-status.ts'
import { money } from '#web/i18n/formats.ts'
import { categoryText, errorText, transactionStatusText } from '#web/i18n/words.ts'
import { normaliseRanges } from '#web/accounts/transactions/filters.ts'
import { countQuery, useBusinessNow } from '#web/accounts/queries.ts'
import { dayBefore, dayOf, monthEnd, monthStart } from '#web/i18n/dates.ts'
import { amountText, readAmount, wholeAmount } from '#web/ui/amount-text.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type FilterSheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  filters: TransactionFilters
  onApply: (filters: TransactionFilters) => void
}

/** What is being put together in the sheet; text until it is applied. */
type Draft = {
  category: Category | undefined
  status: 'any' | (typeof TRANSACTION_STATUSES)[number]
  from: string
  to: string
  min: string
  max: string
}

const NOTHING: Draft = { category: undefined, status: 'any', from: '', to: '', min: '', max: '' }

function draftOf(filters: TransactionFilters): Draft {
  return {
    category: filters.category,
    status: filters.status ?? 'any',
    from: filters.from ?? '',
    to: filters.to ?? '',
    min: filters.minMinor ? amountText(filters.minMinor) : '',
    max: filters.maxMinor ? amountText(filters.maxMinor) : '',
  }
}

/** An empty end leaves the range open; null where the text is not an amount. */
function boundOf(text: string): number | undefined | null {
  const reading = readAmount(text.replace(/^\s*\$/, ''))
  if (reading.state === 'empty') return undefined
  return reading.state === 'read' ? reading.amountMinor : null
}

/** What a draft asks for beside the text; null where an amount in it is none. */
function filtersOf(draft: Draft, q: string | undefined): TransactionFilters | null {
  const [minMinor, maxMinor] = [boundOf(draft.min), boundOf(draft.max)]
  if (minMinor === null || maxMinor === null) return null
  return normaliseRanges({
    ...(q && { q }),
    ...(draft.category && { category: draft.category }),
    ...(draft.status !== 'any' && { status: draft.status }),
    ...(draft.from && { from: draft.from }),
    ...(draft.to && { to: draft.to }),
    ...(minMinor && { minMinor }),
    ...(maxMinor && { maxMinor }),
  })
}

export function FilterSheet({ open, onOpenChange, filters, onApply }: FilterSheetProps) {
  const { t } = useLingui()
  const [opened, setOpened] = useState(open)
  const [draft, setDraft] = useState(() => draftOf(filters))
  if (opened !== open) {
    setOpened(open)
    if (open) setDraft(draftOf(filters))
  }
  const drafted = filtersOf(draft, filters.q)
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Filters`}
      description={t`Choose which transactions to show`}
      footer={
        <Button type="submit" form="transaction-filters" className="w-full">
          <span aria-live="polite">
            <WhatIsShown drafted={drafted} />
          </span>
        </Button>
      }
    >
      <FilterForm
        draft={draft}
        onChange={setDraft}
        onApply={() => {
          if (!drafted) return
          onApply(drafted)
          onOpenChange(false)
        }}
      />
    </Sheet>
  )
}

/** Says how many transactions there will be to see, as the bank counts them. */
function WhatIsShown({ drafted }: { drafted: TransactionFilters | null }) {
  const { data } = useQuery({ ...countQuery(drafted ?? {}), enabled: drafted !== null })
  if (!drafted || !data) return <Trans>Show Transactions</Trans>
  const { count, more } = data
  if (more) return <Plural value={count} one="Show Over # Transaction" other="Show Over # Transactions" />
  return <Plural value={count} _0="No Matching Transactions" one="Show # Transaction" other="Show # Transactions" />
}

type FilterFormProps = { draft: Draft; onChange: (draft: Draft) => void; onApply: () => void }

function FilterForm({ draft, onChange, onApply }: FilterFormProps) {
  const { t } = useLingui()
  const [wrong, setWrong] = useState({ min: false, max: false })
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part })

  function apply() {
    setWrong({ min: boundOf(draft.min) === null, max: boundOf(draft.max) === null })
    onApply()
  }

  return (
    <form
      id="transaction-filters"
      noValidate
      className="space-y-6"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <CategoryChoice chosen={draft.category} onChange={(category) => change({ category })} />
      <fieldset className="min-w-0">
        <Legend>
          <Trans>Status</Trans>
        </Legend>
        <Segmented
          label={t`Status`}
          value={draft.status}
          onChange={(status) => change({ status })}
          options={[
            { value: 'any', label: t({ message: 'Any', context: 'status' }) },
            ...TRANSACTION_STATUSES.map((status) => ({ value: status, label: transactionStatusText(status) })),
          ]}
        />
      </fieldset>
      <DateRange from={draft.from} to={draft.to} onChange={change} />
      <AmountRange min={draft.min} max={draft.max} wrong={wrong} onChange={change} />
      <Button
        variant="quiet"
        size="small"
        onClick={() => {
          onChange(NOTHING)
          setWrong({ min: false, max: false })
        }}
      >
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

type CategoryChoiceProps = { chosen: Category | undefined; onChange: (category: Category | undefined) => void }

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
            onClick={() => onChange(chosen === key ? undefined : key)}
            className={cx(CHIP, chosen === key ? CHIP_ON : CHIP_OFF)}
          >
            {categoryText(key)}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

type DateRangeProps = { from: string; to: string; onChange: (part: { from?: string; to?: string }) => void }

function DateRange({ from, to, onChange }: DateRangeProps) {
  const { t } = useLingui()
  const now = useBusinessNow()
  const presets = now
    ? [
        { label: t`Last 7 days`, from: dayBefore(now, 6), to: dayOf(now) },
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
          const on = preset.from === from && preset.to === to
          return (
            <button
              key={preset.label}
              type="button"
              aria-pressed={on}
              onClick={() => onChange(on ? { from: '', to: '' } : { from: preset.from, to: preset.to })}
              className={cx(CHIP, on ? CHIP_ON : CHIP_OFF)}
            >
              {preset.label}
            </button>
          )
        })}
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        <Field
          label={t({ message: 'From', context: 'first day' })}
          type="date"
          value={from}
          onChange={(event) => onChange({ from: event.currentTarget.value })}
        />
        <Field
          label={t({ message: 'To', context: 'last day' })}
          type="date"
          value={to}
          onChange={(event) => onChange({ to: event.currentTarget.value })}
        />
      </div>
    </fieldset>
  )
}

type AmountRangeProps = {
  min: string
  max: string
  wrong: { min: boolean; max: boolean }
  onChange: (part: { min?: string; max?: string }) => void
}

/** An amount counts whether it came in or went out. */
function AmountRange({ min, max, wrong, onChange }: AmountRangeProps) {
  const { t } = useLingui()
  return (
    <fieldset className="min-w-0">
      <Legend>
        <Trans>Amount</Trans>
      </Legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        <Field
          label={t`Minimum`}
          inputMode="decimal"
          autoComplete="off"
          placeholder={money(0, 'USD')}
          value={min}
          error={wrong.min ? errorText('amount_invalid') : undefined}
          onChange={(event) => onChange({ min: event.currentTarget.value })}
          onBlur={() => onChange({ min: wholeAmount(min) })}
        />
        <Field
          label={t`Maximum`}
          inputMode="decimal"
          autoComplete="off"
          placeholder={t({ message: 'Any', context: 'amount' })}
          value={max}
          error={wrong.max ? errorText('amount_invalid') : undefined}
          onChange={(event) => onChange({ max: event.currentTarget.value })}
          onBlur={() => onChange({ max: wholeAmount(max) })}
        />
      </div>
    </fieldset>
  )
}
