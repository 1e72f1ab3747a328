import { useLingui } from '@lingui/react/macro'
import { KYC_STEPS, type KycStep } from '#contract/documents.ts'
import type { Kyc } from '#contract/kyc.ts'
import { documentOf, KYC_STEP_WORDS } from '#web/kyc/steps.ts'
import { cx } from '#web/ui/cx.ts'
import { DoneTick } from '#web/ui/done-tick.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

type ChecklistProps = { kyc: Kyc; current: KycStep; onOpen: (step: KycStep) => void }

/** Lists the steps and whether they are done. Each line opens its step. */
export function Checklist({ kyc, current, onOpen }: ChecklistProps) {
  const { t } = useLingui()
  return (
    <Section title={t`Checklist`}>
      <Card>
        <ol className="divide-y divide-line">
          {KYC_STEPS.map((step, index) => {
            const isDone = documentOf(kyc, step) !== undefined
            return (
              <li key={step}>
                <button
                  type="button"
                  aria-current={step === current ? 'step' : undefined}
                  onClick={() => onOpen(step)}
                  className="flex min-h-16 w-full flex-wrap items-center gap-x-3 px-4 py-2.5 text-start -outline-offset-2 transition-colors hover:bg-muted/60 aria-[current]:bg-primary-subtle/45"
                >
                  <Mark isDone={isDone} number={index + 1} />
                  <span className="min-w-0 flex-1 basis-28 font-medium">{t(KYC_STEP_WORDS[step].title)}</span>
                  <span className={cx('ms-auto text-sm font-medium', isDone ? 'text-success' : 'text-ink-soft')}>
                    {isDone
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

function Mark({ isDone, number }: { isDone: boolean; number: number }) {
  return (
    <span
      aria-hidden
      className={cx(
        'tabular grid size-9 shrink-0 place-items-center rounded-full text-[min(0.875rem,22px)] font-semibold transition-colors',
        isDone ? 'bg-primary text-on-primary' : 'bg-muted text-ink-soft',
      )}
    >
      {isDone ? <DoneTick className="size-7" /> : number}
    </span>
  )
}
