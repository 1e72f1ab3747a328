/**
 * Whether this page is a picture of a screen on another screen (web/help/picture.tsx). It is looked at and never touched;
 * web/public/boot.js sees to it that it changes nothing.
 */
export const isPicture = (): boolean => 'picture' in document.documentElement.dataset
