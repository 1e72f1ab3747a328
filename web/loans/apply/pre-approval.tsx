import { Trans, useLingui } from '@lingui/react/macro'
import { BadgeCheck, CircleAlert } from 'lucide-react'
import type { CSSProperties } from 'react'
import { SCORE_BAND_CODES, SCORE_BANDS, SCORE_RANGE } from '#contract/loan-codes.ts'
import type { PreApproval } from '#contract/loans.ts'
import { percentOf } from '#contract/money.ts'
import { money } from '#web/i18n/formats.ts'
import { DeclineReasons } from '#web/loans/shared/decline-reasons.tsx'
import { BANDS, FACTORS } from '#web/loans/shared/words.ts'
import { Progress } from '#web/ui/progress.tsx'
import { RowIcon } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows in two lines how much the customer can borrow. */
export function PreApproved({ approval }: { approval: PreApproval | undefined }) {
  const { t } = useLingui()
  const isNone = approval?.limitMinor === 0
  return (
    <section aria-label={t`Pre-approval`}>
      <Card className="@container px-4 py-3">
        <div className="flex items-center gap-3">
          <RowIcon icon={isNone ? CircleAlert : BadgeCheck} tint={isNone ? 'plain' : 'primary'} />
          {approval ? (
            <div className="min-w-0">
              <p className="font-semibold text-pretty">
                <Limit approval={approval} />
              </p>
              <p className="text-sm text-ink-soft">
                <Score approval={approval} />
              </p>
            </div>
          ) : (
            <div className="min-w-0 flex-1">
              <Skeleton line className="w-64" />
              <Skeleton line className="w-40 text-sm" />
            </div>
          )}
        </div>
      </Card>
    </section>
  )
}

function Limit({ approval: { limitMinor, asset } }: { approval: PreApproval }) {
  const limit = money(limitMinor, asset, { short: true })
  if (limitMinor === 0) return <Trans>You're not pre-approved for a loan yet</Trans>
  return <Trans comment="{limit} is an amount of money">Pre-approved for up to {limit}</Trans>
}

function Score({ approval: { score, band } }: { approval: PreApproval }) {
  const { t } = useLingui()
  const word = t(BANDS[band])
  return (
    <Trans comment="{score} is a number, {word} its rating. Example: Credit score 742 (Good)">
      Credit score {score} ({word})
    </Trans>
  )
}

type ScoreDetailsProps = {
  approval: PreApproval | undefined
  /** Whether to also show what would raise the limit. */
  reasons?: boolean
}

/** Shows the factors of the credit score, and what would raise the limit. */
export function ScoreDetails({ approval, reasons = true }: ScoreDetailsProps) {
  const { t } = useLingui()
  return (
    <Section title={t`Your Credit Score`}>
      <Card className="flex flex-col gap-5 p-5">
        {approval ? (
          <>
            <Scale approval={approval} />
            <Factors factors={approval.factors} />
            {reasons && approval.reasons.length > 0 && (
              <div className="flex flex-col gap-3 border-t border-line pt-4">
                <h3 className="font-semibold">
                  {approval.limitMinor === 0 ? (
                    <Trans>How to Get Pre-Approved</Trans>
                  ) : (
                    <Trans>How to Raise Your Limit</Trans>
                  )}
                </h3>
                <DeclineReasons reasons={approval.reasons} />
              </div>
            )}
            <p className="text-sm text-pretty text-ink-soft">
              <Trans>Your score is based only on your Alder account. Checking it doesn't affect it.</Trans>
            </p>
          </>
        ) : (
          <ScoreSkeleton />
        )}
      </Card>
    </Section>
  )
}

/** Shows the position of a score between the worst and the best. */
function Scale({ approval: { score, band } }: { approval: PreApproval }) {
  const { t } = useLingui()
  const { least: minScore, most: maxScore } = SCORE_RANGE
  const bands = SCORE_BAND_CODES.map((code, index) => {
    const next = SCORE_BAND_CODES[index + 1]
    return { code, points: (next ? SCORE_BANDS[next] : maxScore) - SCORE_BANDS[code] }
  })
  const place = (score - minScore) / (maxScore - minScore)
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="tabular text-4xl font-semibold tracking-tight">{score}</span>
        <span className="font-medium text-ink-soft">{t(BANDS[band])}</span>
      </p>
      <div aria-hidden className="relative mt-2 py-1.5" style={{ '--at': `${place * 100}%` } as CSSProperties}>
        <div className="flex h-2 gap-0.5 overflow-hidden rounded-full">
          {bands.map(({ code, points }) => (
            <span
              key={code}
              className={code === band ? 'bg-primary' : 'bg-line'}
              style={{ flexGrow: points, flexBasis: 0 }}
            />
          ))}
        </div>
        <span className="absolute start-(--at) top-0 h-5 w-1.5 -translate-x-1/2 rounded-full border-2 border-surface bg-ink [box-sizing:content-box] rtl:translate-x-1/2" />
      </div>
      <div aria-hidden className="tabular flex justify-between text-sm text-ink-soft">
        <span>{minScore}</span>
        <span>{maxScore}</span>
      </div>
    </div>
  )
}

function Factors({ factors }: { factors: PreApproval['factors'] }) {
  const { t } = useLingui()
  return (
    <ul className="flex flex-col gap-3">
      {factors.map(({ code, points, mostPoints }) => {
        const name = t(FACTORS[code])
        return (
          <li key={code} className="flex flex-col gap-1.5">
            <p className="flex flex-wrap justify-between gap-x-3 text-[0.9375rem]">
              <span>{name}</span>
              <span className="tabular ms-auto text-ink-soft">
                <Trans comment="Points of a credit score. Example: 80 of 100">
                  {points} of {mostPoints}
                </Trans>
              </span>
            </p>
            <Progress label={name} percent={percentOf(points, mostPoints)} />
          </li>
        )
      })}
    </ul>
  )
}

function ScoreSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-5">
      <div>
        <Skeleton line className="w-32 text-4xl" />
        <Skeleton round className="mt-4 h-2 w-full" />
      </div>
      {[1, 2, 3, 4, 5].map((place) => (
        <div key={place} className="flex flex-col gap-1.5">
          <Skeleton line className="w-36 text-[0.9375rem]" />
          <Skeleton round className="h-2 w-full" />
        </div>
      ))}
    </div>
  )
}
