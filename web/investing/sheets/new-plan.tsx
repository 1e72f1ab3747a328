import { Trans, useLingui } from '@lingui/react/macro'
import type { InvestmentPlanRequest, Investments } from '#contract/investing.ts'
import { INVESTMENT_OPTIONS } from '#contract/investment-terms.ts'
import { type Fund, FUNDS } from '#contract/markets.ts'
import { money } from '#web/i18n/formats.ts'
import { createPlan } from '#web/investing/queries.ts'
import { RiskLine } from '#web/investing/shared/risk-line.tsx'
import { RISK_TEXTS } from '#web/investing/shared/fund-facts.tsx'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { useAmountErrors } from '#web/investing/sheets/amount-check.ts'
import { Choice } from '#web/investing/sheets/choice.tsx'
import { FeeLine } from '#web/investing/sheets/fee-line.tsx'
import { isMismatch, Mismatch } from '#web/investing/sheets/mismatch.tsx'
import { type Form, useForm } from '#web/lib/form.ts'
import { dateError, lastScheduleDay } from '#web/schedules/shared/when.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

type NewPlanProps = { data: Investments; fund: Fund; onDone: () => void }
type Values = { fund: string; amount: string; every: string; startsOn: string; accepts: string }

const fundOf = ({ fund }: Values): Fund => FUNDS.find((option) => option === fund) ?? 'FUND_CONSERVATIVE'

function usePlanForm({ data, fund, onDone }: NewPlanProps) {
  const { t } = useLingui()
  const faultsOf = useAmountErrors(data, { isPlan: true })
  const initial: Values = { fund, amount: '', every: 'month', startsOn: data.today, accepts: '' }
  return useForm({
    initial,
    check: (values) => [...faultsOf(values, fundOf(values)), ...dateError('startsOn', values.startsOn, data.today)],
    read: (values): InvestmentPlanRequest => ({
      fund: fundOf(values),
      amountMinor: parseMinor(values.amount),
      asset: 'USD',
      every: values.every === 'week' ? 'week' : 'month',
      startsOn: values.startsOn,
      ...(isMismatch(data, fundOf(values)) && { acceptsMismatch: true }),
    }),
    send: (content: InvestmentPlanRequest, key) => createPlan(content, key),
    loading: () => t`Saving…`,
    success: (_response, content) => {
      const [amount, fundName] = [money(content.amountMinor, content.asset), fundText(content.fund)]
      return {
        message:
          content.every === 'week'
            ? t`${amount} goes into ${fundName} every week`
            : t`${amount} goes into ${fundName} every month`,
      }
    },
    outcome: () => ({
      sent: t`Your recurring investment was saved`,
      notSent: t`Canceled. Nothing was saved`,
    }),
    refusedField: ({ field }) => {
      if (field === 'amountMinor') return 'amount'
      if (field === 'fund') return 'accepts'
      return field === 'startsOn' ? field : null
    },
    onDone,
  })
}

/** Creates a recurring investment: the fund, amount, interval and first day. */
export function NewPlan(props: NewPlanProps) {
  const { t } = useLingui()
  const { data } = props
  const form = usePlanForm(props)
  const { suitability } = data
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Funds form={form} />
      <div className="flex flex-col gap-2">
        <AmountField {...form.field('amount')} label={t`Amount`} />
        <FeeLine data={data} />
      </div>
      <Segmented
        label={t({ message: 'How Often', comment: 'The frequency of an investment' })}
        value={form.values.every}
        onChange={(every) => form.set('every', every)}
        options={[
          { value: 'week', label: t({ message: 'Weekly', comment: 'The frequency of a transfer' }) },
          { value: 'month', label: t({ message: 'Monthly', comment: 'The frequency of a transfer' }) },
        ]}
      />
      <Field
        {...form.field('startsOn')}
        label={t`First Date`}
        type="date"
        min={data.today}
        max={lastScheduleDay(data.today)}
        hint={t`If the date falls on a weekend or federal holiday, we invest on the next business day. If there isn't enough in your account, we'll skip it and let you know.`}
      />
      {suitability && isMismatch(data, fundOf(form.values)) && (
        <Mismatch
          suits={suitability.result}
          field={form.field('accepts')}
          onAccept={(isAccepted) => form.set('accepts', isAccepted ? 'yes' : '')}
        />
      )}
      <RiskLine />
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans>Invest Regularly</Trans>
      </Button>
    </form>
  )
}

function Funds({ form }: { form: Form<Values> }) {
  const { t } = useLingui()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium text-ink-soft">
        {t({ message: 'Fund', comment: 'The fund of an investment' })}
      </legend>
      {INVESTMENT_OPTIONS.map(({ fund, risk }) => (
        <Choice key={fund} name="fund" checked={form.values.fund === fund} onChoose={() => form.set('fund', fund)}>
          <span className="block font-medium">{fundText(fund)}</span>
          <span className="block text-sm text-ink-soft">{t(RISK_TEXTS[risk])}</span>
        </Choice>
      ))}
    </fieldset>
  )
}
