import { Trans } from '@lingui/react/macro'
import { type Query, useIsFetching } from '@tanstack/react-query'
import { CloudOff, Hourglass, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigation } from 'react-router'
import { isBrowserOffline, useIsConnected } from '#web/lib/connection.ts'
import { useLazy, usePreload } from '#web/lib/lazy.ts'
import { cx } from '#web/ui/cx.ts'

/** After this time, the banner says that loading takes long. */
const SLOW_MS = 5_000

const loadAsOf = () => import('#web/app/connection/last-updated.tsx')

/**
 * The banner that says that the bank is out of reach, with the time of the figures on the screen, or that loading takes long.
 */
export function ConnectionBanner() {
  const isUp = useIsConnected()
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

/** The text is shown at once. The code for the time of the figures may not have loaded before the connection was lost. */
function OutOfReach() {
  const asOf = useLazy(loadAsOf, true)
  return (
    <Strip icon={CloudOff} warns>
      {isBrowserOffline() ? <Trans>You're offline.</Trans> : <Trans>We can't reach Alder right now.</Trans>}
      {asOf && <asOf.LastUpdated />}
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

/** Returns whether the screen, or a part of it, has been loading for long. */
function useIsSlow(): boolean {
  const isFetching = useIsFetching({ predicate: isAwaited }) > 0
  const isWaiting = useNavigation().state !== 'idle' || isFetching
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isWaiting])
  return slow
}
