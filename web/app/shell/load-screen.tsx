import { Trans, useLingui } from '@lingui/react/macro'
import { CloudOff, RefreshCw } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { errorText } from '#web/i18n/error-text.ts'
import { checkLine, useLineUp } from '#web/lib/line.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Screen } from '#web/ui/screen.tsx'

type Load = () => Promise<ComponentType>

/** The code of a screen. Where it does not come, a stand-in that says so and becomes the screen once it does. */
export async function loadScreen(load: Load): Promise<ComponentType> {
  try {
    return await load()
  } catch (error) {
    // For debugging: the screen itself shows no details.
    // oxlint-disable-next-line no-console
    console.error(error)
    checkLine()
    return standInFor(load)
  }
}

function standInFor(load: Load): ComponentType {
  let loaded: ComponentType | null = null
  return function StandIn() {
    const [Loaded, setLoaded] = useState(() => loaded)
    const isUp = useLineUp()
    useEffect(() => {
      if (Loaded || !isUp) return
      let gone = false
      load().then(
        (component) => {
          loaded = component
          if (!gone) setLoaded(() => component)
        },
        // Where the line is up, the customer may load the page again.
        () => undefined,
      )
      return () => {
        gone = true
      }
    }, [Loaded, isUp])
    return Loaded ? <Loaded /> : <MissingScreen isUp={isUp} />
  }
}

function MissingScreen({ isUp }: { isUp: boolean }) {
  const { t } = useLingui()
  const title = isUp ? t`That didn't load` : t`You're offline`
  return (
    <Screen title={title} back={paths.dashboard} className="justify-center">
      <div role="alert">
        <Notice
          icon={CloudOff}
          title={isUp ? errorText('unreachable') : t`This screen isn't on your device yet`}
          action={
            <Button
              icon={<RefreshCw aria-hidden className="size-5" />}
              onClick={() => (isUp ? location.reload() : checkLine())}
            >
              <Trans>Try Again</Trans>
            </Button>
          }
        >
          {!isUp && <Trans>It opens by itself as soon as you're back online.</Trans>}
        </Notice>
      </div>
    </Screen>
  )
}
