import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { InvestmentOrderRequest, Investments } from '#contract/investing.ts'
import type { Fund } from '#contract/markets.ts'
import { money } from '#web/i18n/formats.ts'
import { placeFundOrder } from '#web/investing/queries.ts'
import { RiskLine } from '#web/investing/shared/risk-line.tsx'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { useAmountErrors, useAvailable } from '#web/investing/sheets/amount-check.ts'
import { FeeLine } from '#web/investing/sheets/fee-line.tsx'
import { isMismatch, Mismatch } from '#web/investing/sheets/mismatch.tsx'
import { Review } from '#web/investing/sheets/review.tsx'
import { useForm } from '#web/lib/form.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'

type InvestProps = { data: Investments; fund: Fund; onDone: () => void }
type Step = 'amount' | 'review'
type Values = { amount: string; accepts: string }

function useInvestForm({ data, fund, onDone }: InvestProps, step: Step, setStep: (step: Step) => void) {
  const { t } = useLingui()
  const faultsOf = useAmountErrors(data, { isPlan: false })
  const fundName = fundText(fund)
  const amountOf = (content: InvestmentOrderRequest) =>
    content.side === 'buy' ? money(content.amountMinor, content.asset) : ''
  return useForm({
    initial: { amount: '', accepts: '' },
    startAt: 'amount',
    check: (values: Values) => faultsOf(values, fund),
    nextStep: () => {
      if (step === 'review') return false
      setStep('review')
      return true
    },
    read: ({ amount }): InvestmentOrderRequest => ({
      side: 'buy',
      fund,
      amountMinor: parseMinor(amount),
      asset: 'USD',
      ...(isMismatch(data, fund) && { acceptsMismatch: true }),
    }),
    send: (content: InvestmentOrderRequest, key) => placeFundOrder(content, key),
    loading: (content) => {
      const amount = amountOf(content)
      return t`Investing ${amount}…`
    },
    success: (_response, content) => {
      const amount = amountOf(content)
      return {
        message: t`Your order is placed`,
        description: t`${amount} goes into ${fundName} at the next price`,
      }
    },
    outcome: (content) => {
      const amount = amountOf(content)
      return { sent: t`Your order for ${amount} was placed`, notSent: t`Canceled. Nothing was ordered` }
    },
    refusedField: ({ field }) => (field === 'amountMinor' ? 'amount' : field === 'fund' ? 'accepts' : null),
    onRefused: ({ field }) => {
      if (field !== undefined) setStep('amount')
    },
    onDone,
  })
}

/** Invests in a fund: the amount first, then a review before the order is placed. */
export function Invest(props: InvestProps) {
  const { t } = useLingui()
  const { data, fund } = props
  const [step, setStep] = useState<Step>('amount')
  const form = useInvestForm(props, step, setStep)
  const availableMinor = useAvailable()
  const available = availableMinor === undefined ? undefined : money(availableMinor, 'USD')
  const { suitability } = data
  return (
    <form noValidate aria-label={t`Order`} onSubmit={form.onSubmit} className="flex flex-col gap-5">
      {step === 'amount' ? (
        <>
          <AmountField
            {...form.field('amount')}
            label={t`Amount`}
            hint={
              <span className="tabular">
                {available
                  ? t({ message: `${available} available`, comment: '{available} is the amount that can be sent' })
                  : ' '}
              </span>
            }
          />
          {suitability && isMismatch(data, fund) && (
            <Mismatch
              suits={suitability.result}
              field={form.field('accepts')}
              onAccept={(isAccepted) => form.set('accepts', isAccepted ? 'yes' : '')}
            />
          )}
          <FeeLine data={data} />
          <RiskLine />
          <Button type="submit">
            <Trans>Continue</Trans>
          </Button>
        </>
      ) : (
        <Review
          order={{ side: 'buy', fund, amountMinor: parseMinor(form.values.amount) }}
          today={data.today}
          busy={form.busy}
          done={form.done}
          onBack={() => setStep('amount')}
        />
      )}
    </form>
  )
}
