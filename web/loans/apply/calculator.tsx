import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { LOAN_TERMS, type Repayments } from '#contract/loan-terms.ts'
import { ASSETS } from '#contract/money.ts'
import { isSymbolBefore, money } from '#web/i18n/formats.ts'
import type { FormPart } from '#web/lib/form.ts'
import { monthsText } from '#web/loans/shared/words.ts'
import {
  AMOUNTS,
  loanCost,
  type LoanForm,
  loanText,
  MONTHS,
  parseLoanAmount,
  parseMonths,
} from '#web/loans/apply/loan-form.ts'
import { AprRow, EffectiveRateRow, FigureRow, FigureTable } from '#web/loans/shared/figures.tsx'
import { FitMoney, Money } from '#web/ui/money.tsx'
import { Card } from '#web/ui/screen.tsx'
import { SliderField } from '#web/ui/slider.tsx'

/** Shows the fields for amount and term, and the cost. The calculation runs on the device. */
export function Calculator({ form }: { form: FormPart<LoanForm> }) {
  return (
    <Card>
      <div className="flex flex-col gap-6 p-5">
        <AmountSlider form={form} />
        <TermSlider form={form} />
      </div>
      <Cost cost={loanCost(form.values)} />
    </Card>
  )
}

function AmountSlider({ form }: { form: FormPart<LoanForm> }) {
  const { t } = useLingui()
  const { value: text, onChange, onBlur, ...field } = form.field('amount')
  const value = parseLoanAmount(text)
  const step = money(AMOUNTS.step, 'USD', { short: true })
  const symbol = <span aria-hidden>{ASSETS.USD.symbol}</span>
  const hasPrefix = isSymbolBefore()
  return (
    <SliderField
      {...field}
      label={t`Loan Amount`}
      text={text}
      value={value}
      scale={AMOUNTS}
      say={(amountMinor) => money(amountMinor, 'USD', { short: true })}
      less={t`Borrow ${step} Less`}
      more={t`Borrow ${step} More`}
      {...(hasPrefix ? { before: symbol } : { after: symbol })}
      onText={onChange}
      onBlur={(event) => {
        if (value !== null && loanText(value) !== text) form.set('amount', loanText(value))
        onBlur(event)
      }}
      onChange={(amountMinor) => form.set('amount', loanText(amountMinor))}
    />
  )
}

function TermSlider({ form }: { form: FormPart<LoanForm> }) {
  const { t } = useLingui()
  const { value: text, onChange, ...field } = form.field('months')
  const value = parseMonths(text)
  const step = MONTHS.step
  const count = value ?? 0
  return (
    <SliderField
      {...field}
      label={t({ message: 'Term', context: 'of a loan' })}
      text={text}
      value={value}
      scale={MONTHS}
      say={monthsText}
      less={t`${step} Months Less`}
      more={t`${step} Months More`}
      after={
        <span aria-hidden className="text-[0.5em] font-medium text-ink-soft">
          <Plural value={count} one="month" other="months" />
        </span>
      }
      onText={onChange}
      onChange={(months) => form.set('months', String(months))}
    />
  )
}

/** Shows the cost of a loan, or a placeholder if the input is invalid. */
function Cost({ cost }: { cost: Repayments | null }) {
  const { t } = useLingui()
  return (
    <section aria-label={t`What It Costs`} className="border-t border-line bg-primary-subtle/45 p-5">
      <p className="text-sm font-medium text-ink-soft">
        <Trans>Monthly Payment</Trans>
      </p>
      <output className="block">
        {cost ? (
          <FitMoney
            amountMinor={cost.instalmentMinor}
            asset="USD"
            most="2.75rem"
            smallDecimals
            className="font-semibold tracking-tight"
          />
        ) : (
          <span className="block text-[2.75rem] font-semibold text-line-strong">–</span>
        )}
      </output>
      {cost && <Shares cost={cost} />}
      <FigureTable className="mt-3">
        <FigureRow label={t`Last Payment`}>
          <Amount amountMinor={cost?.lastInstalmentMinor} />
        </FigureRow>
        <FigureRow label={t`Total Repayment`}>
          <Amount amountMinor={cost?.totalMinor} />
        </FigureRow>
        <FigureRow label={t`Total Interest`}>
          <Amount amountMinor={cost?.interestMinor} />
        </FigureRow>
        <AprRow aprBps={LOAN_TERMS.aprBps} />
        <EffectiveRateRow aprBps={LOAN_TERMS.aprBps} />
      </FigureTable>
    </section>
  )
}

function Amount({ amountMinor }: { amountMinor: number | undefined }) {
  return amountMinor === undefined ? '–' : <Money amountMinor={amountMinor} asset="USD" />
}

/** Shows how much of the total repayment is the loan and how much is interest. */
function Shares({ cost: { totalMinor, interestMinor } }: { cost: Repayments }) {
  const interest = `${(interestMinor / totalMinor) * 100}%`
  return (
    <div aria-hidden className="mt-3 flex h-2 gap-0.5 overflow-hidden rounded-full">
      <span className="flex-1 bg-primary" />
      <span className="bg-orange" style={{ width: interest }} />
    </div>
  )
}
