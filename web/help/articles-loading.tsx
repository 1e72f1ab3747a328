import { useLingui } from '@lingui/react/macro'
import { Failure, UNREACHABLE } from '#web/ui/failure.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

type ArticlesLoadingProps = { failed: boolean; isFetching: boolean; retry: () => void }

/** Stands for articles whose words have not come. */
export function ArticlesLoading({ failed, isFetching, retry }: ArticlesLoadingProps) {
  const { t } = useLingui()
  if (failed) return <Failure error={UNREACHABLE} refetch={retry} isFetching={isFetching} />
  return (
    <Card>
      <Loading label={t`Loading articles`} />
      <RowSkeletons count={4} />
    </Card>
  )
}
