import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { Redemption } from '#contract/rewards-api.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { codesQuery } from '#web/rewards/queries.ts'
import { REWARD_ICONS, rewardTitle } from '#web/rewards/reward-words.ts'
import { CopyIconButton } from '#web/ui/copy-button.tsx'
import { PointsRow } from '#web/rewards/points-row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** Lists the rewards that are codes. Shows nothing if there are none. */
export function Codes() {
  const { t } = useLingui()
  const codes = useQuery(codesQuery).data?.codes ?? []
  if (codes.length === 0) return null
  return (
    <Section title={t`Your Codes`}>
      <Card>
        <Rows of={codes}>{(code) => <CodeRow redemption={code} />}</Rows>
      </Card>
      {codes.some(({ isSample }) => isSample) && (
        <p className="px-1 pt-2 text-sm text-pretty text-ink-soft">
          <Trans>These are sample codes from a sample bank. No store or lounge accepts them.</Trans>
        </p>
      )}
    </Section>
  )
}

function CodeRow({ redemption: { reward, code, redeemedAt } }: { redemption: Redemption }) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const title = rewardTitle(reward)
  return (
    <PointsRow
      icon={REWARD_ICONS[reward]}
      title={title}
      description={
        <>
          <bdi className="tabular block font-medium break-all text-ink rtl:text-right">{code}</bdi>
          {shortDay(redeemedAt, today)}
        </>
      }
      trailing={code && <CopyIconButton text={code} label={t`Copy Code for ${title}`} message={t`Code copied`} />}
    />
  )
}
