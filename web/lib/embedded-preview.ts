/**
 * Returns whether this page is the preview of a screen inside another screen (web/help/live-picture.tsx). A preview is not
 * interactive; web/public/boot.js makes sure that it changes no data.
 */
export const isEmbeddedPreview = (): boolean => 'picture' in document.documentElement.dataset
