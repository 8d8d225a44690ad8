// Made by ingester/assembly/group-windows.mjs from the built-in signals.

/** Four bytes of each text to search for, grouped so that few other bytes pass the kernel's search. */
// prettier-ignore
export const GROUPED_WINDOWS: ReadonlyArray<readonly string[]> = [
  ["line","ecko","ut o","REEM","UEUE","ROR:","us e","ot o","ode:","Perm","le o","ion:","gFpe","leNo","___/","UT_O"],
  ["sser","al e","gume","al 6","al 8","al 1","DA e","QUEU","ts a","al i","gniz","se f","al 9","de f","ce f","(nan","'nan","(lin","taEx","cuDN","SEGV","GABR","CUDN","ake:"],
  ["ror:","ATAL"," nan","=nan",":nan","-nan","rtl:","pl l","pm l","ry l"," Man","[nan","\"nan"," Can","'t l"," NAN"," NaN","KILL","uDNN","ENT:","ACK:","-NAN","=NAN","unkn","=NaN",":NaN","\"NaN"],
  ["nal ","xcee","lled","nan","lloc","kill","LLED","NCCL","NAN","NaN","xcep","nic:","ncon","NCEL","LAPA","NCON","ule(","LAS_","E::"],
  ["ille","in r","on f","or: ","or e","*** ","me e","ic: ","ob e","on F","_kil","-kil","igFp","or E","on e","):  ","[E::","]: *"],
  ["bort","or i","on t","ermi","on d","ot f","on i","exit","oryE","LIMI","ERMI","RROR","EXIT","Exit","er i","le t","on h","ed f","ed l","forr","Fort","or d","limi","od h","a_bt","eNot","ABRT","ZBRE","VERY","le d","at()","ABOR","BORT"],
  ["r te","e fa","e op","n fa","e fo","n de","t fo","ckou","f me","Abor","n er","PREE","ORTE","ERM_","s er","t al","n to","n ha","o mo","d at","cked","s fo","d ha","s ha","d fu","n Fa","e Ma","_btl","r ED","f Me","e na","E wa","E ha","n al","X ER","R ER","D NE","ERGE"],
  ["r in","t op","r ex","d wi","t of","A er","ryEr","FATA","TATU","RMIN","l in","r of","d li","t ex","a ex","Asse","t/ou","d_al","n ig","n in","t ca","L er","L Er","t lo","l la","t Of","TIME","NODE","FAIL","GSEG","GKIL","R on","A-ca","\\___","RM_O","RM_A","T_OF"],
];
