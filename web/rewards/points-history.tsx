import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CalendarSync, CreditCard, Gift, Globe, History, type LucideIcon, Undo2, UserPlus } from 'lucide-react'
import type { PointsLine } from '#contract/rewards-api.ts'
import type { Label } from '#contract/line-texts.ts'
import { MerchantMark } from '#web/accounts/shared/merchant-mark.tsx'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { textOf } from '#web/i18n/words.ts'
import { pointsQuery } from '#web/rewards/queries.ts'
import { Poster } from '#web/ui/art/poster.tsx'
import { cx } from '#web/ui/cx.ts'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Money } from '#web/ui/money.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PointsRow } from '#web/rewards/points-row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

const ICONS: Partial<Record<Label, LucideIcon>> = {
  'points.payment': CreditCard,
  'points.refer_friend': UserPlus,
  'points.direct_debit': CalendarSync,
  'points.card_abroad': Globe,
  'points.refund': Undo2,
}

/** Lists the points that were earned and spent. */
export function PointsHistory() {
  const { t } = useLingui()
  return (
    <Section title={t`Points History`}>
      <Lines />
    </Section>
  )
}

function Lines() {
  const { t } = useLingui()
  const today = useBusinessDay()
  const list = useInfiniteQuery(pointsQuery)
  if (list.isError && !list.data) {
    return <LoadFailure {...list} />
  }
  if (!list.data) {
    return (
      <Card>
        <RowSkeletons count={5} />
      </Card>
    )
  }
  const lines = list.data.pages.flatMap((page) => page.lines)
  if (lines.length === 0) {
    return (
      <Card>
        <EmptyState icon={History} picture={<Poster of="insights" />} title={t`No points yet`}>
          <Trans>Pay by card or send money to earn your first points.</Trans>
        </EmptyState>
      </Card>
    )
  }
  return (
    <>
      <Card>
        <Rows of={lines}>{(line) => <LineRow line={line} today={today} />}</Rows>
      </Card>
      <ShowMore list={list} />
    </>
  )
}

function LineRow({ line, today }: { line: PointsLine; today: string | null }) {
  const { label, note, isCompany, points, bookedAt } = line
  const day = { key: 'day', fact: shortDay(bookedAt, today) }
  return (
    <PointsRow
      icon={ICONS[label] ?? Gift}
      picture={isCompany && note && <MerchantMark name={note} />}
      tint={points > 0 ? 'primary' : 'plain'}
      title={textOf('label', label)}
      description={<InlineFacts facts={note ? [{ key: 'note', fact: <bdi>{note}</bdi> }, day] : [day]} />}
      trailing={
        <Money
          amountMinor={points}
          asset="POINTS"
          sign="always"
          className={cx('font-semibold', points > 0 && 'text-success')}
        />
      }
    />
  )
}
