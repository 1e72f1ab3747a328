import type { ReactNode } from 'react'
import { LoadFailure, hasLoadFailed } from '#web/ui/load-failure.tsx'
import { Screen, type ScreenProps } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

type QueryScreenProps = ScreenProps & {
  /** The main query of the screen. */
  query: {
    data: unknown
    error: unknown
    errorUpdateCount: number
    isFetching: boolean
    refetch: () => unknown
  }
  /** The announcement for screen readers while the query loads; missing if the skeletons contain one. */
  loading?: string
  /** The content, with skeletons while there is no data. */
  children: ReactNode
}

/** A screen with one main query: loading, loaded, or failed. */
export function QueryScreen({ query, loading, children, ...screen }: QueryScreenProps) {
  return (
    <Screen {...screen}>
      {hasLoadFailed(query) ? (
        <LoadFailure {...query} />
      ) : (
        <>
          {loading && query.data === undefined && <Loading label={loading} />}
          {children}
        </>
      )}
    </Screen>
  )
}
