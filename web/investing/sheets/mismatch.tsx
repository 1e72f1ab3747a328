import { Trans } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { useId } from 'react'
import type { Investments } from '#contract/investing.ts'
import { INVESTMENT_OPTIONS, type Risk, RISKS } from '#contract/investment-terms.ts'
import type { Fund } from '#contract/markets.ts'
import type { Form } from '#web/lib/form.ts'
import { cx } from '#web/ui/cx.ts'
import { FieldNote } from '#web/ui/field.tsx'

const riskOf = (fund: Fund): Risk => INVESTMENT_OPTIONS.find((option) => option.fund === fund)?.risk ?? 'high'

/** Returns whether a fund has more risk than the customer's answers suggest. */
export const isMismatch = ({ suitability }: Pick<Investments, 'suitability'>, fund: Fund): boolean =>
  suitability !== null && RISKS.indexOf(riskOf(fund)) > RISKS.indexOf(suitability.result)

type MismatchProps = {
  /** The level of risk that suits the customer. */
  suits: Risk
  /** Contains 'yes' once the customer accepts the higher risk. */
  field: Pick<ReturnType<Form<{ accepts: string }>['field']>, 'value' | 'error' | 'ref'>
  onAccept: (isAccepted: boolean) => void
}

/** Warns that a fund has more risk than suits the customer, who may accept it. */
export function Mismatch({ suits, field: { value, error, ref }, onAccept }: MismatchProps) {
  const id = useId()
  const isChecked = value === 'yes'
  return (
    <div className="rounded-card bg-warning-subtle p-4">
      <p className="text-sm font-medium text-pretty text-warning">
        {suits === 'low' ? (
          <Trans>Your answers suggest low risk. This fund is riskier.</Trans>
        ) : (
          <Trans>Your answers suggest medium risk. This fund is riskier.</Trans>
        )}
      </p>
      <label className="relative mt-2 flex min-h-11 cursor-pointer items-center gap-3 rounded-control has-focus-visible:outline-2 has-focus-visible:outline-primary">
        <input
          ref={ref}
          type="checkbox"
          checked={isChecked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
          onChange={(event) => onAccept(event.currentTarget.checked)}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
        <span
          aria-hidden
          className={cx(
            'grid size-6 shrink-0 place-items-center rounded-md border-2 transition-colors',
            isChecked ? 'border-primary bg-primary text-on-primary' : 'border-line-strong bg-surface',
          )}
        >
          {isChecked && <Check className="size-4" strokeWidth={3} />}
        </span>
        <span className="min-w-0 flex-1 text-sm font-medium">
          <Trans>I want to invest in it anyway</Trans>
        </span>
      </label>
      <FieldNote id={`${id}-note`} error={error} />
    </div>
  )
}
