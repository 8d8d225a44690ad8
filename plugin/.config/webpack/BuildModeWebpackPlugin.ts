import webpack from 'webpack';

const PLUGIN_NAME = 'BuildModeWebpack';

/** Writes the build mode into every plugin.json, where Grafana and its validator read it. */
export class BuildModeWebpackPlugin {
  apply(compiler: webpack.Compiler): void {
    compiler.hooks.compilation.tap(PLUGIN_NAME, (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONS;
      compilation.hooks.processAssets.tap({ name: PLUGIN_NAME, stage }, () => {
        for (const asset of compilation.getAssets().filter(({ name }) => name.endsWith('plugin.json'))) {
          const pluginJson = JSON.parse(asset.source.source().toString()) as object;
          const text = JSON.stringify({ ...pluginJson, buildMode: compilation.options.mode }, null, 2);
          compilation.updateAsset(asset.name, new webpack.sources.RawSource(`${text}\n`));
        }
      });
    });
  }
}
