import type { ReactNode } from 'react'
import { Failure, hasFailed } from '#web/ui/failure.tsx'
import { Screen, type ScreenProps } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

type QueryScreenProps = ScreenProps & {
  /** What the screen is about. */
  query: {
    data: unknown
    error: unknown
    errorUpdateCount: number
    isFetching: boolean
    refetch: () => unknown
  }
  /** What a screen reader hears while it is loaded; left out where the skeletons say so. */
  loading?: string
  /** With skeletons in it while there is no data. */
  children: ReactNode
}

/** A screen that shows one main query: as it loads, once it is there, and where it failed. */
export function QueryScreen({ query, loading, children, ...screen }: QueryScreenProps) {
  return (
    <Screen {...screen}>
      {hasFailed(query) ? (
        <Failure {...query} />
      ) : (
        <>
          {loading && query.data === undefined && <Loading label={loading} />}
          {children}
        </>
      )}
    </Screen>
  )
}
