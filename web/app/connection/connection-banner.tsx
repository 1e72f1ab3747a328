import { Trans } from '@lingui/react/macro'
import { type Query, useIsFetching } from '@tanstack/react-query'
import { CloudOff, Hourglass, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigation } from 'react-router'
import { hasNoNetwork, useLineUp } from '#web/lib/line.ts'
import { useOnDemand, usePreload } from '#web/lib/on-demand.ts'
import { cx } from '#web/ui/cx.ts'

/** Waiting for longer than this is said. */
const SLOW_MS = 5_000

const loadAsOf = () => import('#web/app/connection/as-of.tsx')

/** Says when the bank cannot be reached, and as of when what is shown is; else, when it takes long. */
export function ConnectionBanner() {
  const isUp = useLineUp()
  const isSlow = useIsSlow()
  usePreload(loadAsOf)
  return (
    <div role="status">
      {!isUp && <OutOfReach />}
      {isUp && isSlow && (
        <Strip icon={Hourglass}>
          <Trans>Still trying…</Trans>
        </Strip>
      )}
    </div>
  )
}

/** The sentence is there at once. The code that says as of when the figures are may not have come before the line went down. */
function OutOfReach() {
  const asOf = useOnDemand(loadAsOf, true)
  return (
    <Strip icon={CloudOff} warns>
      {hasNoNetwork() ? <Trans>You're offline.</Trans> : <Trans>We can't reach Alder right now.</Trans>}
      {asOf && <asOf.AsOf />}
    </Strip>
  )
}

type StripProps = { icon: LucideIcon; warns?: boolean; children: ReactNode }

function Strip({ icon: Icon, warns = false, children }: StripProps) {
  return (
    <p
      className={cx(
        'mx-4 mt-3 flex items-center gap-[12px] rounded-control px-[16px] py-[12px] text-sm font-medium',
        warns ? 'bg-warning-subtle text-warning' : 'bg-muted text-ink-soft',
      )}
    >
      <Icon aria-hidden className="size-[20px] shrink-0" strokeWidth={2} />
      <span>{children}</span>
    </p>
  )
}

const isAwaited = (query: Query): boolean => query.isActive() && query.state.data === undefined

/** Whether the screen, or something on it, has been on its way for long. */
function useIsSlow(): boolean {
  const fetching = useIsFetching({ predicate: isAwaited }) > 0
  const waiting = useNavigation().state !== 'idle' || fetching
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [waiting])
  return slow
}
