import type { ScopedVars, TypedVariableModel } from '@grafana/data';
import type { TemplateSrv, VariableInterpolation } from '@grafana/runtime';
import { sceneGraph, type SceneObject } from '@grafana/scenes';

declare global {
  interface Window {
    /** The current scene; @grafana/scenes sets it. */
    __grafanaSceneContext?: SceneObject;
  }
}

/** Template variables for plugins: those of the scene that asked, or else of the current scene. */
export class TemplateService implements TemplateSrv {
  getVariables(): TypedVariableModel[] {
    const scene = window.__grafanaSceneContext;
    if (scene === undefined) return [];
    // Plugins read name, type, label and current; the state of a scene variable has them.
    return sceneGraph.getVariables(scene).state.variables.map((variable) => {
      // A scene gives every value in place of "All"; Grafana says that it is all.
      const value = isAll(variable.state) ? ['$__all'] : (variable.getValue() ?? '');
      const text = variable.getValueText?.() ?? value;
      return { ...variable.state, current: { value, text } } as unknown as TypedVariableModel;
    });
  }

  replace(
    target?: string,
    scopedVars?: ScopedVars,
    // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- as the interface has it
    format?: string | Function,
    interpolations?: VariableInterpolation[]
  ): string {
    if (target === undefined || target === '') return '';
    const scene = findScene(scopedVars) ?? window.__grafanaSceneContext;
    if (scene === undefined) return target;
    return sceneGraph.interpolate(
      scene,
      target,
      scopedVars,
      format as Parameters<typeof sceneGraph.interpolate>[3],
      interpolations
    );
  }

  containsTemplate(target?: string): boolean {
    if (target === undefined) return false;
    return [...target.matchAll(/\$(\w+)|\[\[(\w+?)(?::\w+)?\]\]|\$\{(\w+)(?:[.:][^}]*)?\}/g)].some((match) => {
      const name = match[1] ?? match[2] ?? match[3] ?? '';
      const scene = window.__grafanaSceneContext;
      return scene !== undefined && sceneGraph.lookupVariable(name, scene) !== null;
    });
  }

  /** Scenes take the time range from the scene itself. */
  updateTimeRange(): void {
    return;
  }
}

function isAll(state: object): boolean {
  const { value } = state as { readonly value?: unknown };
  return value === '$__all' || (Array.isArray(value) && value.includes('$__all'));
}

function findScene(scopedVars: ScopedVars | undefined): SceneObject | undefined {
  const wrapped: unknown = scopedVars?.['__sceneObject']?.value;
  return (wrapped as { valueOf(): SceneObject } | undefined)?.valueOf();
}
