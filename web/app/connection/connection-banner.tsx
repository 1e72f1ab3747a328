import { Trans } from '@lingui/react/macro'
import { type Query, type QueryCache, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { CloudOff, Hourglass, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useNavigation } from 'react-router'
import { betweenSentences } from '#web/i18n/formats.ts'
import { localMoment } from '#web/lib/local-time.ts'
import { hasNoNetwork, useLineUp } from '#web/lib/line.ts'
import { cx } from '#web/ui/cx.ts'

/** Waiting for longer than this is said. */
const SLOW_MS = 5_000

/** Says when the bank cannot be reached, and as of when what is shown is; else, when it takes long. */
export function ConnectionBanner() {
  const isUp = useLineUp()
  const isSlow = useIsSlow()
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

function OutOfReach() {
  const cache = useQueryClient().getQueryCache()
  const asOfMs = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => oldestShown(cache),
  )
  const time = asOfMs === null ? null : localMoment(asOfMs)
  return (
    <Strip icon={CloudOff} warns>
      {hasNoNetwork() ? <Trans>You're offline.</Trans> : <Trans>We can't reach Alder right now.</Trans>}
      {betweenSentences()}
      {time !== null && (
        <span className="font-normal">
          <Trans comment="As of when the figures on the screen are: a time of today, or a date and a time">
            Last updated: {time}
          </Trans>
        </span>
      )}
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

/** When the oldest of the figures on the screen came, in milliseconds; null where there are none. */
function oldestShown(cache: QueryCache): number | null {
  const times = cache
    .findAll({ type: 'active', predicate: ({ meta }) => meta?.kept === 'dated' })
    .flatMap(({ state }) => (state.data === undefined ? [] : [state.dataUpdatedAt]))
  return times.length === 0 ? null : Math.min(...times)
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
