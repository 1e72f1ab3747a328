import { useLingui } from '@lingui/react/macro'
import { Brand } from '#web/ui/brand.tsx'

/** The page while the first screen's code loads. */
export function Splash() {
  const { t } = useLingui()
  return (
    <div role="status" aria-label={t`Opening Alder`} className="grid min-h-dvh animate-shimmer place-items-center">
      <Brand />
    </div>
  )
}
