import { Trans, useLingui } from '@lingui/react/macro'
import { CloudOff, RefreshCw } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { errorText } from '#web/i18n/error-text.ts'
import { checkConnection, useIsConnected } from '#web/lib/connection.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Screen } from '#web/ui/screen.tsx'

type Load = () => Promise<ComponentType>

/**
 * Loads the code of a screen. If loading fails, returns a replacement that shows the failure and turns into the screen once it
 * has loaded.
 */
export async function loadScreen(load: Load): Promise<ComponentType> {
  try {
    return await load()
  } catch (error) {
    // Logged for debugging, because the screen shows no details.
    // oxlint-disable-next-line no-console
    console.error(error)
    checkConnection()
    return standInFor(load)
  }
}

function standInFor(load: Load): ComponentType {
  let loadedScreen: ComponentType | null = null
  return function StandIn() {
    const [LoadedScreen, setLoaded] = useState(() => loadedScreen)
    const isUp = useIsConnected()
    useEffect(() => {
      if (LoadedScreen || !isUp) return
      let isUnmounted = false
      load().then(
        (component) => {
          loadedScreen = component
          if (!isUnmounted) setLoaded(() => component)
        },
        // A failure is ignored, because the replacement already shows one. If the connection is up, the customer can reload the
        // page.
        () => undefined,
      )
      return () => {
        isUnmounted = true
      }
    }, [LoadedScreen, isUp])
    return LoadedScreen ? <LoadedScreen /> : <MissingScreen isUp={isUp} />
  }
}

function MissingScreen({ isUp }: { isUp: boolean }) {
  const { t } = useLingui()
  const title = isUp ? t`That didn't load` : t`You're offline`
  return (
    <Screen title={title} back={paths.dashboard} className="justify-center">
      <div role="alert">
        <EmptyState
          icon={CloudOff}
          title={isUp ? errorText('unreachable') : t`This screen isn't on your device yet`}
          action={
            <Button
              icon={<RefreshCw aria-hidden className="size-5" />}
              onClick={() => (isUp ? location.reload() : checkConnection())}
            >
              <Trans>Try Again</Trans>
            </Button>
          }
        >
          {!isUp && <Trans>It will open as soon as you're back online.</Trans>}
        </EmptyState>
      </div>
    </Screen>
  )
}
