import { useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { KYC_STEPS, type KycStep } from '#contract/documents.ts'
import type { Kyc } from '#contract/kyc.ts'
import { documentOf, STEPS } from '#web/kyc/steps.ts'
import { cx } from '#web/ui/cx.ts'
import { Card, Section } from '#web/ui/screen.tsx'

type ChecklistProps = { kyc: Kyc; current: KycStep; onOpen: (step: KycStep) => void }

/** What is done and what is not; each line leads to its step. */
export function Checklist({ kyc, current, onOpen }: ChecklistProps) {
  const { t } = useLingui()
  return (
    <Section title={t`Checklist`}>
      <Card>
        <ol className="divide-y divide-line">
          {KYC_STEPS.map((step, index) => {
            const done = documentOf(kyc, step) !== undefined
            return (
              <li key={step}>
                <button
                  type="button"
                  aria-current={step === current ? 'step' : undefined}
                  onClick={() => onOpen(step)}
                  className="flex min-h-16 w-full items-center gap-3 px-4 py-2.5 text-start -outline-offset-2 transition-colors hover:bg-muted/60 aria-[current]:bg-primary-subtle/45"
                >
                  <Mark done={done} number={index + 1} />
                  <span className="flex-1 font-medium">{t(STEPS[step].title)}</span>
                  <span className={cx('text-sm font-medium', done ? 'text-success' : 'text-ink-soft')}>
                    {done
                      ? t({ message: 'Completed', context: 'a step of identity verification' })
                      : t({ message: 'Pending', context: 'a step of identity verification' })}
                  </span>
                </button>
              </li>
            )
          })}
        </ol>
      </Card>
    </Section>
  )
}

function Mark({ done, number }: { done: boolean; number: number }) {
  return (
    <span
      aria-hidden
      className={cx(
        'tabular grid size-9 shrink-0 place-items-center rounded-full text-sm font-semibold transition-colors',
        done ? 'bg-primary text-on-primary' : 'bg-muted text-ink-soft',
      )}
    >
      {done ? <Check className="size-5" strokeWidth={2.6} /> : number}
    </span>
  )
}
