import { Trans } from '@lingui/react/macro'
import { type QueryCache, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { betweenSentences } from '#web/i18n/formats.ts'
import { localMoment } from '#web/lib/local-time.ts'

/** The time of the figures on the screen, as a sentence after another one; nothing if the screen has no figures. */
export function LastUpdated() {
  const cache = useQueryClient().getQueryCache()
  const asOfMs = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => oldestShown(cache),
  )
  if (asOfMs === null) return null
  const time = localMoment(asOfMs)
  return (
    <>
      {betweenSentences()}
      <span className="font-normal">
        <Trans comment="The time of the figures on the screen: a time of today, or a date and a time">
          Last updated: {time}
        </Trans>
      </span>
    </>
  )
}

/** Returns the time of the oldest figures on the screen, in milliseconds; null if there are none. */
function oldestShown(cache: QueryCache): number | null {
  const times = cache
    .findAll({ type: 'active', predicate: ({ meta }) => meta?.kept === 'dated' })
    .flatMap(({ state }) => (state.data === undefined ? [] : [state.dataUpdatedAt]))
  return times.length === 0 ? null : Math.min(...times)
}
